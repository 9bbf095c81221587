import type { NameUse, SharedForm, TemplateForm } from "../../../names/index.ts";
import type { TextEdit } from "../../../text/index.ts";

/** Whether a name is in a form of templates. */
export function isTemplateForm(form: SharedForm | undefined): form is TemplateForm {
  return form?.startsWith("vue-") === true || form?.startsWith("svelte-") === true;
}

/**
 * Returns the edit that renames a use in a form of templates; `undefined` where the form cannot
 * have the new name. The attribute keeps its own name, unless `isKeyToo`.
 */
export function renameInTemplate(
  { name, start, end }: NameUse,
  form: TemplateForm,
  to: string,
  isKeyToo: boolean,
): TextEdit | undefined {
  switch (form) {
    case "vue-tag":
      // Without a hyphen it could be the name of an HTML element.
      return { start, end, text: /.[A-Z]/.test(to) ? hyphenated(to) : to };
    case "vue-directive":
      return /^v[A-Z]/.test(to) ? { start, end, text: hyphenated(to).slice(2) } : undefined;
    default:
      if (isKeyToo) return { start, end, text: to };
      if (form === "svelte-attribute") return { start: start - 1, end, text: `${name}={${to}` };
      return { start: end, end, text: form === "vue-attribute" ? `="${to}"` : `={${to}}` };
  }
}

/** How a template of Vue may write the name of a component or a directive: `MyBox` as `my-box`. */
export function hyphenated(name: string): string {
  return name.replace(/\B[A-Z]/g, "-$&").toLowerCase();
}
