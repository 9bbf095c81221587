import { errorMessage } from "../../src/text/index.ts";
import "./look/tokens.css";
import "./look/base.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { HttpFiles } from "./files/http-files.ts";
import { socketAt } from "./link/wire.ts";
import { startPage } from "./start-page.ts";

const element = document.querySelector("#page")!;
try {
  const page = startPage(await HttpFiles.open(), socketAt("./lsp"));
  document.title = `${page.files.facts.name} · Emend`;
  render(<App page={page} />, element);
} catch (error) {
  render(
    <main class="failure">
      <h1>Emend</h1>
      <p>{errorMessage(error)}</p>
    </main>,
    element,
  );
}
