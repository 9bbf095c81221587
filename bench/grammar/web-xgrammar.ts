import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type * as Peer from "@mlc-ai/web-xgrammar";
import type { Token } from "../../src/grammar/masks/token-vocabulary.ts";
import { cpuMs } from "./cpu-time.ts";

/** Times of another engine, in milliseconds of CPU. */
export interface PeerTimes {
  readonly compileMs: number;
  readonly maskMs: readonly number[];
}

/** What the other engine receives of a vocabulary, made once. */
export class XGrammarPeer {
  readonly #peer: typeof Peer;
  readonly #compiler: Peer.GrammarCompiler;
  readonly vocabularyMs: number;

  private constructor(peer: typeof Peer, compiler: Peer.GrammarCompiler, vocabularyMs: number) {
    this.#peer = peer;
    this.#compiler = compiler;
    this.vocabularyMs = vocabularyMs;
  }

  static async open(tokens: readonly Token[]): Promise<XGrammarPeer> {
    const peer = loadPeer();
    const encoded = tokens.map(({ text }) => byteLevel(text as Uint8Array));
    encoded.push("<|endoftext|>");
    const started = cpuMs();
    const info = await peer.TokenizerInfo.createTokenizerInfo(encoded, "byte_level", false, encoded.length, [
      tokens.length,
    ]);
    const compiler = await peer.GrammarCompiler.createGrammarCompiler(info);
    return new XGrammarPeer(peer, compiler, cpuMs() - started);
  }

  /** Replays tokens, with a mask before each. */
  async json(tokens: readonly number[]): Promise<PeerTimes> {
    const started = cpuMs();
    const grammar = await this.#compiler.compileBuiltinJSONGrammar();
    return this.#replay(grammar, cpuMs() - started, tokens);
  }

  /** The same for a grammar in its notation. */
  async ebnf(text: string, tokens: readonly number[]): Promise<PeerTimes> {
    const started = cpuMs();
    const grammar = await this.#compiler.compileGrammar(text);
    return this.#replay(grammar, cpuMs() - started, tokens);
  }

  async #replay(grammar: Peer.CompiledGrammar, compileMs: number, tokens: readonly number[]): Promise<PeerTimes> {
    const matcher = await this.#peer.GrammarMatcher.createGrammarMatcher(grammar);
    const maskMs: number[] = [];
    for (const [at, token] of tokens.entries()) {
      const started = cpuMs();
      await matcher.getNextTokenBitmask();
      maskMs.push(cpuMs() - started);
      if (!matcher.acceptToken(token)) throw new Error(`The other engine refuses token ${at} of its own text.`);
    }
    return { compileMs, maskMs };
  }
}

/** Its entry is a script that names itself a module, so it is read as what it is. */
function loadPeer(): typeof Peer {
  const file = fileURLToPath(import.meta.resolve("@mlc-ai/web-xgrammar"));
  const module = { exports: {} };
  const run = new Function("module", "exports", "require", "__dirname", "__filename", readFileSync(file, "utf8"));
  run(module, module.exports, process.getBuiltinModule("module").createRequire(file), "", file);
  return module.exports as typeof Peer;
}

/** Bytes as the printable characters that stand for them in vocabularies of this kind. */
function byteLevel(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => characterOf[byte]!).join("");
}

const characterOf: readonly string[] = (() => {
  const isPrintable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : 256 + others++));
})();
