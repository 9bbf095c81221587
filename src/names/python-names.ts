import { childIn, childOf, type PlainNode } from "../syntax/index.ts";
import {
  type Declared,
  FactScope,
  type Hint,
  type Mention,
  type NameFacts,
  type NamePlace,
  type Passed,
  plain,
  unknown,
} from "./name-facts.ts";
import { arityOf, isKnown, NamesReader, type Parameter, visitorsOf } from "./names-reader.ts";

/**
 * Reads the declarations, imports and mentions of a Python file from its tree, whose root is
 * `root`.
 */
export function pythonNames(path: string, text: string, root: PlainNode): NameFacts {
  const reader = new PythonReader(text, root);
  reader.visitAll(root.children, {});
  return reader.draft.facts(path, "python");
}

class PythonReader extends NamesReader<NamePlace> {
  /** Field names of each class: only the first declaration of a field counts. */
  readonly #fields = new Map<number, Set<string>>();
  /** The return values of the enclosing functions, collected while they are visited. */
  readonly #returned: Hint[][] = [];
  /** Keys that are read from the parameters of the enclosing function. */
  readonly #keysRead: Map<string, Set<string>>[] = [];
  /** Local names that hold dictionaries with literal keys. */
  readonly #dictionaries: Map<string, readonly string[]>[] = [];

  /** The decorators of definitions, as text. */
  readonly #marks = new Map<PlainNode, string>();

  protected readonly visitors = visitorsOf<NamePlace>({
    "comment global_statement nonlocal_statement": () => undefined,
    "import_statement import_from_statement": (node) => this.#import(node),
    class_definition: (node, place) => this.#class(node, place),
    function_definition: (node, place) => this.#function(node, place),
    decorator: (node, place) => this.#decorator(node, place),
    "assignment augmented_assignment named_expression": (node, place) => this.#assignment(node, place),
    "for_statement for_in_clause": (node, place) => {
      this.#targets(childIn(node, "left"), place);
      this.visitOthers(node, childIn(node, "left"), place);
    },
    as_pattern: ({ children: [value, alias] }, place) => {
      if (value) this.visit(value, place);
      for (const one of alias?.children ?? []) if (one.type !== "identifier") this.visit(one, place);
    },
    lambda: (node, place) => this.#lambda(node, place),
    "list_comprehension set_comprehension dictionary_comprehension generator_expression": (node, place) =>
      this.#comprehension(node, place),
    type: (node, place) => this.#type(node, place),
    identifier: (node, place) => this.#name(node, place, "value"),
    attribute: (node, place) => this.#attribute(node, place, "value"),
    call: (node, place) => this.#call(node, place),
    keyword_argument: ({ children }, place) => this.visitAll(children.slice(1), place),
    subscript: (node, place) => {
      this.#keyRead(childIn(node, "value"), childIn(node, "subscript"), place);
      this.visitAll(node.children, place);
    },
    return_statement: ({ children }, place) => {
      if (children[0]) this.#returned.at(-1)?.push(this.hint(children[0], place));
      this.visitAll(children, place);
    },
  });

  constructor(text: string, root: PlainNode) {
    super(text);
    for (const node of allOf(root, [])) {
      const definition = node.type === "decorated_definition" ? childIn(node, "definition") : undefined;
      if (definition) this.#marks.set(definition, text.slice(node.start, definition.start));
    }
  }

  #import(node: PlainNode): void {
    const from = childIn(node, "module_name");
    const module = from === undefined ? undefined : this.slice(from).replace(/\s/g, "");
    if (childOf(node, "wildcard_import") && module !== undefined) {
      this.draft.imports.push({ local: "", module, start: node.start });
      return;
    }
    for (const child of node.children) {
      if (child.field !== "name") continue;
      const name = this.slice(child.type === "aliased_import" ? childIn(child, "name")! : child).replace(/\s/g, "");
      const alias = child.type === "aliased_import" ? this.slice(childIn(child, "alias")!) : undefined;
      const { start } = child;
      if (module !== undefined) this.draft.imports.push({ local: alias ?? name, module, name, start });
      // `import a.b` binds `a`, and makes the module `a.b` available through it.
      else this.draft.imports.push({ local: alias ?? name, module: name, start });
    }
  }

  #class(node: PlainNode, place: NamePlace): void {
    const name = childIn(node, "name");
    const body = childIn(node, "body");
    const supers = childIn(node, "superclasses")?.children ?? [];
    const bases = supers.filter(({ type }) => type !== "keyword_argument" && type !== "comment");
    for (const base of bases) this.#baseMention(base, place);
    for (const one of supers) if (one.type === "keyword_argument") this.visit(one, place);
    if (name === undefined || body === undefined) return;
    if (place.scope !== undefined) {
      // A class inside of a function isn't visible outside, but its mentions count.
      this.visitAll(body.children, { scope: new FactScope(place.scope) });
      return;
    }
    const index = this.draft.declare({
      kind: "class",
      ...this.named(name),
      ...(place.within !== undefined && { owner: place.within }),
      bases: bases.map((base) => this.#typeHint(base)),
    });
    this.#fields.set(index, new Set());
    this.visitAll(body.children, { within: index });
  }

  #baseMention(node: PlainNode, place: NamePlace): void {
    if (node.type === "identifier") this.#name(node, place, "extend");
    else if (node.type === "attribute") this.#attribute(node, place, "extend");
    else if (node.type === "subscript" && childIn(node, "value")) {
      this.#baseMention(childIn(node, "value")!, place);
      for (const child of node.children.slice(1)) this.#type(child, place);
    } else this.visit(node, place);
  }

  #function(node: PlainNode, place: NamePlace): void {
    const name = childIn(node, "name");
    const parameters = childIn(node, "parameters");
    const returns = childIn(node, "return_type");
    const body = childIn(node, "body");
    if (parameters) this.#parameterMentions(parameters, place);
    if (returns) this.#type(returns, place);
    if (name === undefined) return;
    const isMember = place.scope === undefined && place.within !== undefined;
    const list = (parameters?.children ?? []).map((one) => this.#parameter(one)).filter((one) => one !== undefined);
    const marks = this.#marks.get(node) ?? "";
    const hasSelf = isMember && !/@staticmethod\b/.test(marks);
    let index: number | undefined;
    if (place.scope === undefined) {
      const isAccessor = /@(\w+\.)?(property|cached_property)\b/.test(marks);
      const declared: Declared = {
        kind: isMember
          ? this.slice(name) === "__init__"
            ? "constructor"
            : isAccessor
              ? "field"
              : "method"
          : "function",
        ...this.named(name),
        ...(isMember && { owner: place.within! }),
        takes: arityOf(hasSelf ? list.slice(1) : list),
        parameters: (hasSelf ? list.slice(1) : list).map((one) => one.name),
        value: returns ? this.#typeHint(returns) : unknown,
      };
      const isSetter = /@\w+\.(setter|deleter)\b/.test(marks);
      index = this.draft.declare(isAccessor || isSetter ? withoutCall(declared) : declared);
    }
    const scope = new FactScope(place.scope, index);
    if (hasSelf && list[0]) scope.add(list[0].name, { kind: "self" });
    for (const one of hasSelf ? list.slice(1) : list) scope.add(one.name, one.hint);
    if (body === undefined) return;
    this.#returned.push([]);
    this.#keysRead.push(new Map(list.map((one) => [one.name, new Set<string>()])));
    this.#dictionaries.push(new Map());
    this.#bindings(body, { ...place, scope });
    this.visitAll(body.children, { ...place, scope });
    const keys = this.#keysRead.pop()!;
    this.#dictionaries.pop();
    const returned = this.#returned.pop()!.find(isKnown);
    if (index === undefined) return;
    const keysRead = new Map([...keys].filter(([, set]) => set.size > 0).map(([one, set]) => [one, [...set]] as const));
    if (keysRead.size > 0) this.draft.amend(index, { keysRead });
    if (returns === undefined && returned !== undefined) this.draft.amend(index, { value: returned });
  }

  #decorator(node: PlainNode, place: NamePlace): void {
    const [expression] = node.children;
    if (expression === undefined) return;
    if (expression.type === "identifier") this.#name(expression, place, "call");
    else if (expression.type === "attribute") this.#attribute(expression, place, "call");
    else this.visit(expression, place);
  }

  #parameterMentions(parameters: PlainNode, place: NamePlace): void {
    for (const one of parameters.children) {
      const type = childIn(one, "type");
      const value = childIn(one, "value");
      if (type) this.#type(type, place);
      if (value) this.visit(value, place);
    }
  }

  #parameter(node: PlainNode): Parameter | undefined {
    switch (node.type) {
      case "identifier":
        return { name: this.slice(node), hint: unknown, isOptional: false };
      case "list_splat_pattern":
        return { name: this.slice(node).slice(1), hint: plain, isOptional: true, isRest: true };
      case "dictionary_splat_pattern":
        return { name: this.slice(node).slice(2), hint: plain, isOptional: true, isRest: true };
      case "default_parameter":
      case "typed_default_parameter":
      case "typed_parameter": {
        const type = childIn(node, "type");
        const first = childIn(node, "name") ?? node.children[0];
        if (first === undefined) return undefined;
        const isRest = first.type.endsWith("splat_pattern");
        const hint = isRest ? plain : type ? this.#typeHint(type) : unknown;
        const name = this.slice(first).replace(/^\*+/, "");
        return { name, hint, isOptional: isRest || node.type !== "typed_parameter", isRest };
      }
      default:
        return undefined;
    }
  }

  /** Adds the names that a function's statements bind to the scope. */
  #bindings(body: PlainNode, place: NamePlace & { readonly scope: FactScope }): void {
    const { scope } = place;
    const leave: PlainNode[] = [];
    for (const node of allOf(body, ["function_definition", "class_definition", "lambda"])) {
      const bind = (target: PlainNode | undefined, hint: Hint) => {
        if (target?.type === "identifier") scope.add(this.slice(target), hint);
        else if (target !== undefined && /_list|tuple|pattern|as_pattern_target/.test(target.type))
          for (const child of target.children)
            bind(child, target.type === "as_pattern_target" ? hint : { kind: "element", of: hint });
      };
      switch (node.type) {
        case "assignment": {
          const type = childIn(node, "type");
          const right = childIn(node, "right");
          const left = childIn(node, "left");
          bind(left, type ? this.#typeHint(type) : this.hintOf(right, place));
          if (left?.type === "identifier" && right?.type === "dictionary")
            this.#dictionaries.at(-1)?.set(this.slice(left), this.#keysOf(right));
          break;
        }
        case "augmented_assignment":
          bind(childIn(node, "left"), unknown);
          break;
        case "named_expression":
          bind(childIn(node, "name"), this.hint(childIn(node, "value") ?? node.children[1]!, place));
          break;
        case "for_statement":
          bind(childIn(node, "left"), this.hintOn("element", childIn(node, "right"), place));
          break;
        case "as_pattern": {
          const [value, alias] = node.children;
          bind(alias, this.hintOf(value, place));
          break;
        }
        case "function_definition":
        case "class_definition":
          scope.add(this.slice(childIn(node, "name") ?? node), plain);
          break;
        case "global_statement":
          leave.push(...node.children);
          break;
      }
    }
    for (const one of leave) scope.remove(this.slice(one));
  }

  #assignment(node: PlainNode, place: NamePlace): void {
    const left = childIn(node, "left") ?? childIn(node, "name");
    const type = childIn(node, "type");
    const right = childIn(node, "right") ?? childIn(node, "value");
    if (left) {
      const value = type ? this.#typeHint(type) : this.hintOf(right, place);
      this.#targets(left, place, node.type === "assignment" ? value : undefined);
    }
    if (type) this.#type(type, place);
    if (right) this.visit(right, place);
  }

  /**
   * Visits assignment targets: names become declarations outside of functions, and local names
   * inside.
   */
  #targets(node: PlainNode | undefined, place: NamePlace, value?: Hint): void {
    if (node === undefined) return;
    if (node.type === "identifier") {
      const name = this.slice(node);
      if (place.scope !== undefined) {
        if (place.scope.hint(name) === undefined) this.#name(node, place, "value");
        return;
      }
      if (value === undefined) return;
      this.#declareValue(name, node.start, place.within, value);
      return;
    }
    if (node.type === "attribute") {
      const object = childIn(node, "object");
      const attribute = childIn(node, "attribute");
      if (object && attribute && value && place.within !== undefined && this.hint(object, place).kind === "self")
        this.#declareValue(this.slice(attribute), attribute.start, place.within, value);
      this.#attribute(node, place, "value");
      return;
    }
    if (/_list|tuple|pattern/.test(node.type)) {
      for (const child of node.children) this.#targets(child, place, value && { kind: "element", of: value });
    } else this.visit(node, place);
  }

  #declareValue(name: string, start: number, owner: number | undefined, value: Hint): void {
    const fields = owner === undefined ? undefined : this.#fields.get(owner);
    if (fields?.has(name)) return;
    fields?.add(name);
    if (owner === undefined && this.draft.declared.some((one) => one.name === name && one.owner === undefined)) return;
    this.draft.declare({
      kind: owner === undefined ? "variable" : "field",
      name,
      start,
      value,
      ...(owner !== undefined && { owner }),
    });
  }

  #lambda(node: PlainNode, place: NamePlace): void {
    const scope = new FactScope(place.scope);
    for (const one of childIn(node, "parameters")?.children ?? []) {
      const parameter = this.#parameter(one);
      if (parameter) scope.add(parameter.name, parameter.hint);
      const value = childIn(one, "value");
      if (value) this.visit(value, place);
    }
    const body = childIn(node, "body");
    if (body) this.visit(body, { ...place, scope });
  }

  #comprehension(node: PlainNode, place: NamePlace): void {
    const inner = { ...place, scope: new FactScope(place.scope) };
    for (const clause of node.children) {
      if (clause.type !== "for_in_clause") continue;
      const bind = (target: PlainNode | undefined, hint: Hint): void => {
        if (target?.type === "identifier") inner.scope.add(this.slice(target), hint);
        else for (const child of target?.children ?? []) bind(child, { kind: "element", of: hint });
      };
      bind(childIn(clause, "left"), this.hintOn("element", childIn(clause, "right"), inner));
    }
    this.visitAll(node.children, inner);
  }

  #type(node: PlainNode, place: NamePlace): void {
    if (node.type === "identifier") this.#name(node, place, "type");
    else if (node.type === "attribute") this.#attribute(node, place, "type");
    else if (node.type === "string") {
      const name = /^["']([\p{ID_Start}_]\w*)["']$/u.exec(this.slice(node))?.[1];
      if (name !== undefined) this.draft.mention(place, { start: node.start + 1, name, role: "type" });
    } else for (const child of node.children) this.#type(child, place);
  }

  #name(node: PlainNode, place: NamePlace, role: Mention["role"], passed?: Passed): number | undefined {
    const name = this.slice(node);
    const local = place.scope?.hint(name);
    const { start } = node;
    if (local === undefined) return this.draft.mention(place, { start, name, role }, passed && { passed });
    // A local value that is called is a callable object, or a class or function under another name.
    if (role !== "call" || local.kind === "plain") return undefined;
    return this.draft.mention(place, { start, name: "", role }, { of: local, ...(passed && { passed }) });
  }

  #attribute(node: PlainNode, place: NamePlace, role: Mention["role"], passed?: Passed): number | undefined {
    const object = childIn(node, "object");
    const attribute = childIn(node, "attribute");
    if (object === undefined || attribute === undefined) return undefined;
    this.visit(object, place);
    const of = this.hint(object, place);
    return this.draft.mention(place, { ...this.named(attribute), role }, { of, ...(passed && { passed }) });
  }

  #call(node: PlainNode, place: NamePlace): void {
    const callee = childIn(node, "function");
    const list = childIn(node, "arguments");
    const args = (list?.type === "argument_list" ? list.children : list ? [list] : []).filter(
      ({ type }) => type !== "comment",
    );
    const passed = {
      count: args.filter(({ type }) => !type.endsWith("_splat")).length,
      isOpen: args.some(({ type }) => type.endsWith("_splat")),
    };
    let mention: number | undefined;
    if (callee?.type === "identifier") mention = this.#name(callee, place, "call", passed);
    else if (callee?.type === "attribute") {
      mention = this.#attribute(callee, place, "call", passed);
      if (/^(get|pop|setdefault)$/.test(this.slice(childIn(callee, "attribute")!)))
        this.#keyRead(childIn(callee, "object"), args[0], place);
    } else if (callee) {
      this.visit(callee, place);
    }
    if (mention !== undefined) this.#dictionaryCalls(mention, args, place);
    this.visitAll(args, place);
  }

  #dictionaryCalls(mention: number, args: readonly PlainNode[], place: NamePlace): void {
    for (const [index, one] of args.entries()) {
      const isNamed = one.type === "keyword_argument";
      const value = isNamed ? one.children[1] : one;
      const argument = isNamed ? this.slice(one.children[0]!) : index;
      if (value?.type === "dictionary")
        this.draft.dictionaryCalls.push({ mention, argument, keys: this.#keysOf(value) });
      if (value?.type !== "identifier") continue;
      const name = this.slice(value);
      const keys = this.#dictionaries.at(-1)?.get(name);
      if (keys !== undefined) this.draft.dictionaryCalls.push({ mention, argument, keys });
      else if (this.#keysRead.at(-1)?.has(name) && place.scope?.declared !== undefined)
        this.draft.dictionaryCalls.push({
          mention,
          argument,
          from: { declared: place.scope.declared, parameter: name },
        });
    }
  }

  #keyRead(object: PlainNode | undefined, key: PlainNode | undefined, place: NamePlace): void {
    if (object?.type !== "identifier" || key?.type !== "string" || place.scope === undefined) return;
    this.#keysRead.at(-1)?.get(this.slice(object))?.add(this.#stringOf(key));
  }

  #keysOf(dictionary: PlainNode): string[] {
    return dictionary.children.flatMap((pair) => {
      const key = pair.type === "pair" ? childIn(pair, "key") : undefined;
      return key?.type === "string" ? [this.#stringOf(key)] : [];
    });
  }

  #stringOf(node: PlainNode): string {
    return this.slice(node).replace(/^\w*("""|'''|"|')|("""|'''|"|')$/g, "");
  }

  /** What the file itself shows about the value of an expression. */
  protected hint(node: PlainNode, place: NamePlace): Hint {
    switch (node.type) {
      case "identifier": {
        const name = this.slice(node);
        return place.scope?.hint(name) ?? { kind: "name", name };
      }
      case "attribute": {
        const object = childIn(node, "object");
        const attribute = childIn(node, "attribute");
        return object && attribute
          ? { kind: "member", of: this.hint(object, place), name: this.slice(attribute) }
          : unknown;
      }
      case "call": {
        const callee = childIn(node, "function");
        if (callee === undefined) return unknown;
        if (callee.type === "identifier" && this.slice(callee) === "super") return { kind: "super" };
        return { kind: "called", of: this.hint(callee, place) };
      }
      case "subscript":
        return this.hintOn("element", childIn(node, "value"), place);
      case "await":
      case "parenthesized_expression":
        return this.hintOf(node.children[0], place);
      case "conditional_expression":
      case "boolean_operator": {
        return this.knownHint([node.children[0], node.children.at(-1)], place) ?? unknown;
      }
      case "list":
      case "tuple":
      case "set": {
        const [first] = node.children;
        return { kind: "typed", type: "list", of: first ? [this.hint(first, place)] : [] };
      }
      case "list_comprehension": {
        const inner = { ...place, scope: new FactScope(place.scope) };
        const body = childIn(node, "body");
        return { kind: "typed", type: "list", of: body ? [this.#comprehended(body, node, inner)] : [] };
      }
      case "dictionary": {
        const value = node.children.find(({ type }) => type === "pair")?.children[1];
        return { kind: "typed", type: "dict", of: value ? [this.hint(value, place)] : [] };
      }
      case "string":
      case "integer":
      case "float":
      case "true":
      case "false":
      case "none":
      case "concatenated_string":
      case "comparison_operator":
      case "not_operator":
      case "lambda":
        return plain;
      default:
        return unknown;
    }
  }

  #comprehended(body: PlainNode, node: PlainNode, place: NamePlace & { readonly scope: FactScope }): Hint {
    const clause = childOf(node, "for_in_clause");
    const left = clause && childIn(clause, "left");
    const right = clause && childIn(clause, "right");
    if (left?.type === "identifier" && right)
      place.scope.add(this.slice(left), { kind: "element", of: this.hint(right, place) });
    return this.hint(body, place);
  }

  #typeHint(node: PlainNode): Hint {
    switch (node.type) {
      case "type":
      case "parenthesized_expression":
        return node.children[0] ? this.#typeHint(node.children[0]) : unknown;
      case "identifier":
      case "attribute":
        return { kind: "typed", type: this.slice(node), of: [] };
      case "string": {
        const name = this.#stringOf(node);
        return /^[\w.]+$/.test(name) ? { kind: "typed", type: name, of: [] } : unknown;
      }
      case "generic_type":
      case "subscript": {
        const [head, ...rest] = node.children;
        if (head === undefined) return unknown;
        const type = this.slice(head);
        const of = rest
          .flatMap((one) => (one.type === "type_parameter" ? one.children : [one]))
          .map((one) => this.#typeHint(one));
        return /(^|\.)(Optional|Union|Type|type|Annotated|Final|ClassVar|Awaitable)$/.test(type)
          ? (of[0] ?? unknown)
          : { kind: "typed", type, of };
      }
      case "binary_operator":
      case "union_type":
        return node.children[0] ? this.#typeHint(node.children[0]) : unknown;
      case "none":
        return plain;
      default:
        return unknown;
    }
  }
}

function withoutCall({ takes: _, parameters: __, ...rest }: Declared): Declared {
  return rest;
}

/** All nodes inside, in preorder. Nodes of the `closed` types are yielded, but not entered. */
function* allOf(node: PlainNode, closed: readonly string[]): Generator<PlainNode> {
  for (const child of node.children) {
    yield child;
    if (!closed.includes(child.type)) yield* allOf(child, closed);
  }
}
