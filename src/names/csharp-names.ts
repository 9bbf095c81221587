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
import { arityOf, NamesReader, type Parameter, visitorsOf } from "./names-reader.ts";

/**
 * Reads the declarations, imports and mentions of a C# file from its tree, whose root is `root`.
 * Primary constructors and records count as constructors with fields.
 */
export function csharpNames(path: string, text: string, root: PlainNode): NameFacts {
  const reader = new CSharpReader(text);
  reader.visitAll(root.children, {});
  return reader.draft.facts(path, "csharp");
}

interface Place extends NamePlace {
  readonly namespace?: string;
  /** The object before the `?.` whose right side is being read. */
  readonly bound?: Hint;
  /** The object whose method receives the lambda that is being read. */
  readonly receiver?: Hint;
}

interface CSharpParameter extends Parameter {
  readonly start: number;
}

type Role = Mention["role"];

class CSharpReader extends NamesReader<Place> {
  protected readonly visitors = visitorsOf<Place>({
    "comment modifier predefined_type": () => undefined,
    using_directive: (node) => this.#using(node),
    namespace_declaration: (node, place) =>
      this.visitAll(childIn(node, "body")?.children ?? [], { ...place, namespace: this.#namespaceOf(node, place) }),
    file_scoped_namespace_declaration: (node, place) =>
      this.visitOthers(node, childIn(node, "name"), { ...place, namespace: this.#namespaceOf(node, place) }),
    "class_declaration struct_declaration record_declaration record_struct_declaration": (node, place) =>
      this.#typeDeclaration(node, place),
    "interface_declaration enum_declaration delegate_declaration": (node, place) => this.#typeDeclaration(node, place),
    "field_declaration event_field_declaration": (node, place) => this.#fieldDeclaration(node, place),
    "property_declaration event_declaration indexer_declaration": (node, place) => this.#property(node, place),
    enum_member_declaration: (node, place) => {
      const name = childIn(node, "name");
      if (name) this.#declareMember(place, { kind: "field", ...this.named(name), value: { kind: "self" } });
      this.visitOthers(node, name, place);
    },
    "method_declaration constructor_declaration destructor_declaration": (node, place) => this.#function(node, place),
    "operator_declaration conversion_operator_declaration": (node, place) => this.#function(node, place),
    local_function_statement: (node, place) => this.#function(node, place),
    attribute: (node, place) => {
      const name = childIn(node, "name");
      if (name) this.#typeName(name, place, "type", "Attribute");
      this.visitOthers(node, name, place);
    },
    "identifier generic_name": (node, place) => this.#name(node, place, "value"),
    invocation_expression: (node, place) => this.#call(node, place),
    member_access_expression: (node, place) => this.#member(node, place, "value"),
    conditional_access_expression: (node, place) => this.#conditional(node, place),
    member_binding_expression: (node, place) => this.#binding(node, place, "value"),
    "object_creation_expression implicit_object_creation_expression": (node, place) => this.#creation(node, place),
    constructor_initializer: (node, place) => {
      const list = childOf(node, "argument_list");
      const source = this.slice(node);
      const of: Hint = { kind: source.replace(/^:\s*/, "").startsWith("base") ? "super" : "self" };
      const start = node.start + (/base|this/.exec(source)?.index ?? 0);
      this.draft.mention(place, { start, name: ".ctor", role: "call" }, { of, passed: passedIn(list) });
      this.visitAll(list?.children ?? [], place);
    },
    primary_constructor_base_type: ({ children: [base, list] }, place) => {
      if (base) this.#typeName(base, place, "extend");
      if (list) this.visitAll(list.children, place);
    },
    "argument attribute_argument": (node, place) => this.visitOthers(node, childIn(node, "name"), place),
    "lambda_expression anonymous_method_expression": (node, place) => this.#lambda(node, place),
    "variable_declarator declaration_pattern declaration_expression catch_declaration": (node, place) =>
      this.#declaring(node, place),
    "parameter type_parameter foreach_statement tuple_element": (node, place) => this.#declaring(node, place),
  });

  protected override visit(node: PlainNode, place: Place): void {
    const isType = node.field === "type" || node.field === "returns" || typeNodes.has(node.type);
    if (isType) this.#type(node, place, "type");
    else super.visit(node, place);
  }

  override visitAll(nodes: readonly PlainNode[], place: Place): void {
    let inner = place;
    for (const node of nodes) {
      // A file-scoped namespace contains the rest of the file.
      if (node.type === "file_scoped_namespace_declaration")
        inner = { ...place, namespace: this.#namespaceOf(node, place) };
      this.visit(node, inner);
    }
  }

  #using(node: PlainNode): void {
    const alias = childIn(node, "name");
    const target = node.children.findLast((one) => one !== alias);
    if (target === undefined) return;
    const module = this.slice(target).replace(/\s/g, "");
    if (alias === undefined || alias === target) this.draft.imports.push({ local: "", module, start: node.start });
    else {
      const at = module.split("<", 1)[0]!;
      const dot = at.lastIndexOf(".");
      this.draft.imports.push({
        local: this.slice(alias),
        module: at.slice(0, Math.max(0, dot)),
        name: at.slice(dot + 1),
        start: node.start,
      });
    }
  }

  #namespaceOf(node: PlainNode, { namespace }: Place): string {
    const own = this.slice(childIn(node, "name") ?? { start: 0, end: 0 }).replace(/\s/g, "");
    return namespace === undefined ? own : `${namespace}.${own}`;
  }

  #typeDeclaration(node: PlainNode, place: Place): void {
    const name = childIn(node, "name");
    const body = childIn(node, "body");
    const bases = childOf(node, "base_list")?.children.filter(({ type }) => type !== "argument_list") ?? [];
    const baseArguments = childOf(node, "base_list")?.children.find(({ type }) => type === "argument_list");
    for (const base of bases) {
      if (base.type === "primary_constructor_base_type") this.visit(base, place);
      else this.#type(base, place, "extend");
    }
    for (const list of node.children.filter(({ type }) => type === "attribute_list")) this.visit(list, place);
    for (const one of node.children.filter(({ type }) => type === "type_parameter_constraints_clause"))
      for (const constraint of one.children.slice(1)) this.#type(constraint, place, "type");
    if (name === undefined) return;
    const index = this.draft.declare({
      kind: "class",
      ...this.named(name),
      ...(place.within !== undefined && { owner: place.within }),
      namespace: place.namespace ?? "",
      isPartial: node.children.some((one) => one.type === "modifier" && this.slice(one) === "partial"),
      bases: bases.map((base) =>
        this.#typeHint(base.type === "primary_constructor_base_type" ? base.children[0]! : base),
      ),
    });
    const inner: Place = { within: index, ...(place.namespace !== undefined && { namespace: place.namespace }) };
    const parameters = childOf(node, "parameter_list");
    if (parameters !== undefined) {
      const list = this.#parameters(parameters, inner);
      for (const one of list)
        this.draft.declare({ kind: "field", name: one.name, start: one.start, owner: index, value: one.hint });
      this.draft.amend(index, { takes: arityOf(list) });
    }
    if (baseArguments) {
      this.draft.mention(
        inner,
        { start: baseArguments.start, name: ".ctor", role: "call" },
        { of: { kind: "super" }, passed: passedIn(baseArguments) },
      );
      this.visitAll(baseArguments.children, inner);
    }
    this.visitAll(body?.children ?? [], inner);
  }

  #declareMember({ within, namespace: _ }: Place, declared: Omit<Declared, "owner">): number {
    return this.draft.declare({ ...declared, ...(within !== undefined && { owner: within }) });
  }

  #fieldDeclaration(node: PlainNode, place: Place): void {
    for (const list of node.children.filter(({ type }) => type === "attribute_list")) this.visit(list, place);
    const declaration = childOf(node, "variable_declaration");
    const type = declaration && childIn(declaration, "type");
    if (type) this.#type(type, place, "type");
    const value = type ? this.#typeHint(type) : unknown;
    for (const one of declaration?.children ?? []) {
      if (one.type !== "variable_declarator") continue;
      const name = childIn(one, "name");
      if (name === undefined) continue;
      this.#declareMember(place, { kind: "field", ...this.named(name), value });
      // `new()` in a field's initializer creates the field's type.
      for (const child of one.children) if (child !== name) this.#visitValue(child, place, type);
    }
  }

  #visitValue(node: PlainNode, place: Place, type: PlainNode | undefined): void {
    if (node.type === "implicit_object_creation_expression" && type !== undefined) this.#creation(node, place, type);
    else this.visit(node, place);
  }

  #property(node: PlainNode, place: Place): void {
    const name = childIn(node, "name");
    const type = childIn(node, "type");
    const value = type ? this.#typeHint(type) : unknown;
    if (name?.type === "identifier") this.#declareMember(place, { kind: "field", ...this.named(name), value });
    const rest = node.children.filter((one) => one !== name);
    const scope = new FactScope(place.scope);
    scope.add("value", value);
    for (const one of childOf(node, "bracketed_parameter_list")?.children ?? []) {
      const parameter = this.#parameter(one);
      if (parameter) scope.add(parameter.name, parameter.hint);
    }
    for (const one of rest) this.#bindings(one, { ...place, scope });
    this.visitAll(rest, { ...place, scope });
  }

  #function(node: PlainNode, place: Place): void {
    const name = childIn(node, "name");
    const returns = childIn(node, "returns") ?? childIn(node, "type");
    const parameters = childIn(node, "parameters");
    const isLocal = node.type === "local_function_statement";
    const list = parameters === undefined ? [] : this.#parameters(parameters, place);
    let index: number | undefined;
    if (!isLocal && name && node.type !== "destructor_declaration") {
      const isConstructor = node.type === "constructor_declaration";
      const isExtension = /^\(\s*this\b/.test(this.slice(parameters ?? node));
      index = this.#declareMember(place, {
        kind: isConstructor ? "constructor" : "method",
        name: isConstructor ? ".ctor" : this.slice(name),
        start: name.start,
        takes: arityOf(list),
        parameters: list.map((one) => one.name),
        value: returns ? this.#typeHint(returns) : unknown,
        ...(isExtension && { isExtension }),
      });
    }
    const scope = new FactScope(place.scope, index);
    for (const one of list) scope.add(one.name, one.hint);
    for (const one of childOf(node, "type_parameter_list")?.children ?? []) scope.add(this.slice(one), plain);
    const rest = node.children.filter((one) => one !== name && one !== parameters);
    this.#bindings(node, { ...place, scope });
    this.visitAll(rest, { ...place, scope });
  }

  #parameters(list: PlainNode, place: Place): CSharpParameter[] {
    const found: CSharpParameter[] = [];
    for (const [at, one] of list.children.entries()) {
      if (one.type === "parameter") {
        const parameter = this.#parameter(one);
        if (parameter) found.push(parameter);
        this.visitOthers(one, childIn(one, "name"), place);
      } else if (one.field === "name") {
        // The grammar puts the type and name of `params` directly into the list.
        const type = list.children[at - 1];
        const hint = type ? this.#typeHint(type) : unknown;
        found.push({ ...this.named(one), hint, isOptional: true, isRest: true });
      } else if (one.field === "type") this.#type(one, place, "type");
    }
    return found;
  }

  #parameter(node: PlainNode): CSharpParameter | undefined {
    const name = childIn(node, "name");
    const type = childIn(node, "type");
    if (name === undefined) return undefined;
    const isRest = /^params\b/.test(this.slice(node));
    const isOptional = isRest || node.children.some((one) => one.start > name.end);
    return { ...this.named(name), hint: type ? this.#typeHint(type) : unknown, isOptional, isRest };
  }

  /** Adds the names that are bound anywhere inside to the scope, except those inside of lambdas. */
  #bindings(node: PlainNode, place: Place & { readonly scope: FactScope }): void {
    const { scope } = place;
    for (const child of node.children) {
      const name = childIn(child, "name");
      const type = childIn(child, "type");
      const typed = type && type.type !== "implicit_type" ? this.#typeHint(type) : undefined;
      switch (child.type) {
        case "variable_declaration":
          for (const one of child.children) {
            const local = one.type === "variable_declarator" ? childIn(one, "name") : undefined;
            const value = one.children.at(-1);
            if (local)
              scope.add(this.slice(local), typed ?? (value && value !== local ? this.hint(value, place) : unknown));
          }
          break;
        case "foreach_statement": {
          const left = childIn(child, "left");
          const right = childIn(child, "right");
          if (left?.type === "identifier") scope.add(this.slice(left), typed ?? this.hintOn("element", right, place));
          break;
        }
        case "declaration_pattern":
        case "declaration_expression":
        case "catch_declaration":
        case "recursive_pattern":
        case "var_pattern":
          if (name) scope.add(this.slice(name), typed ?? unknown);
          break;
        case "local_function_statement":
          if (name) scope.add(this.slice(name), plain);
          continue;
        case "from_clause":
        case "join_clause":
        case "let_clause":
          if (name) scope.add(this.slice(name), unknown);
          break;
        case "tuple_pattern":
        case "parenthesized_variable_designation":
          for (const one of child.children) if (one.type === "identifier") scope.add(this.slice(one), unknown);
          break;
        case "lambda_expression":
        case "anonymous_method_expression":
          continue;
      }
      this.#bindings(child, place);
    }
  }

  #lambda(node: PlainNode, place: Place): void {
    const scope = new FactScope(place.scope);
    const parameters = childIn(node, "parameters");
    const element: Hint = place.receiver === undefined ? unknown : { kind: "element", of: place.receiver };
    if (parameters?.type === "implicit_parameter") scope.add(this.slice(parameters), element);
    for (const one of parameters?.children ?? []) {
      const parameter = one.type === "parameter" ? this.#parameter(one) : undefined;
      if (parameter) scope.add(parameter.name, parameter.hint);
      else if (one.type === "identifier" || one.type === "implicit_parameter") scope.add(this.slice(one), unknown);
      if (parameter) this.visitOthers(one, childIn(one, "name"), place);
    }
    const { receiver: _, ...rest } = place;
    const inner = { ...rest, scope };
    for (const one of node.children) if (one !== parameters) this.#bindings({ ...one, children: [one] }, inner);
    this.visitOthers(node, parameters, inner);
  }

  /** Visits a construct that binds a name which is already in the scope. */
  #declaring(node: PlainNode, place: Place): void {
    const type = childIn(node, "type");
    for (const one of node.children) {
      if (
        one.field === "name" ||
        (node.type === "foreach_statement" && one.field === "left" && one.type === "identifier")
      )
        continue;
      if (one === type) this.#type(one, place, "type");
      else this.visit(one, place);
    }
  }

  #type(node: PlainNode, place: Place, role: "type" | "extend"): void {
    switch (node.type) {
      case "identifier":
      case "generic_name":
      case "qualified_name":
        this.#typeName(node, place, role);
        return;
      case "implicit_type":
      case "predefined_type":
        return;
      default:
        for (const child of node.children) this.#type(child, place, role);
    }
  }

  #typeName(node: PlainNode, place: Place, role: "type" | "extend", suffix = ""): void {
    if (node.type === "qualified_name") {
      const name = childIn(node, "name") ?? node.children.at(-1)!;
      this.#typeName(name, place, role, suffix);
      return;
    }
    const head = this.#headOf(node, place);
    if (place.scope?.hint(this.slice(head)) === undefined) {
      const name = this.slice(head);
      this.draft.mention(place, { start: head.start, name: name.endsWith(suffix) ? name : name + suffix, role });
    }
  }

  /** The name of a generic name, whose type arguments are visited, or the node itself. */
  #headOf(node: PlainNode, place: Place): PlainNode {
    if (node.type !== "generic_name") return node;
    for (const one of node.children.slice(1)) this.#type(one, place, "type");
    return bareName(node);
  }

  #name(node: PlainNode, place: Place, role: Role, passed?: Passed): void {
    const head = this.#headOf(node, place);
    const name = this.slice(head);
    if (place.scope?.hint(name) !== undefined || name === "nameof" || name === "var" || name === "_") return;
    this.draft.mention(place, { start: head.start, name, role }, passed && { passed });
  }

  #member(node: PlainNode, place: Place, role: Role, passed?: Passed): void {
    const object = childIn(node, "expression");
    const name = childIn(node, "name");
    if (name === undefined) return;
    // The grammar has `this` and `base` as unnamed tokens.
    if (object !== undefined && !/^(this|base|)$/.test(this.slice(object))) this.visit(object, place);
    this.#memberOf(this.#objectHint(node, place), name, place, role, passed);
  }

  #memberOf(of: Hint, name: PlainNode, place: Place, role: Role, passed?: Passed): void {
    const head = this.#headOf(name, place);
    this.draft.mention(place, { start: head.start, name: this.slice(head), role }, { of, ...(passed && { passed }) });
  }

  #objectHint(node: PlainNode, place: Place): Hint {
    const object = childIn(node, "expression");
    const before = this.text.slice(node.start, (childIn(node, "name") ?? node).start).trim();
    if (/^this\s*\.$/.test(before)) return { kind: "self" };
    if (/^base\s*\.$/.test(before)) return { kind: "super" };
    return this.hintOf(object, place);
  }

  #binding(node: PlainNode, place: Place, role: Role, passed?: Passed): void {
    const name = childIn(node, "name");
    if (name) this.#memberOf(place.bound ?? unknown, name, place, role, passed);
  }

  #conditional(node: PlainNode, place: Place): void {
    const condition = childIn(node, "condition") ?? node.children[0];
    if (condition === undefined) return;
    this.visit(condition, place);
    this.visitOthers(node, condition, { ...place, bound: this.hint(condition, place) });
  }

  #call(node: PlainNode, place: Place): void {
    const callee = childIn(node, "function");
    const list = childIn(node, "arguments");
    const passed = passedIn(list);
    let receiver: Hint | undefined;
    if (callee?.type === "identifier" || callee?.type === "generic_name") this.#name(callee, place, "call", passed);
    else if (callee?.type === "member_access_expression") {
      this.#member(callee, place, "call", passed);
      receiver = this.#objectHint(callee, place);
    } else if (callee?.type === "member_binding_expression") {
      this.#binding(callee, place, "call", passed);
      receiver = place.bound;
    } else if (callee?.type === "conditional_access_expression") {
      const condition = childIn(callee, "condition") ?? callee.children[0];
      const last = callee.children.at(-1);
      if (condition) this.visit(condition, place);
      const bound = this.hintOf(condition, place);
      if (last?.type === "member_binding_expression") this.#binding(last, { ...place, bound }, "call", passed);
      else if (last && last !== condition) this.visit(last, { ...place, bound });
      receiver = bound;
    } else if (callee) this.visit(callee, place);
    this.visitAll(list?.children ?? [], receiver === undefined ? place : { ...place, receiver });
  }

  #creation(node: PlainNode, place: Place, expected?: PlainNode): void {
    const type = childIn(node, "type") ?? expected;
    const list = childIn(node, "arguments") ?? childOf(node, "argument_list");
    const initializer = childOf(node, "initializer_expression");
    const passed = list === undefined ? { count: 0, isOpen: false } : passedIn(list);
    const head = type?.type === "qualified_name" ? childIn(type, "name") : type;
    const name = head && bareName(head);
    if (name?.type === "identifier") {
      const start = node.type === "implicit_object_creation_expression" ? node.start : name.start;
      this.draft.mention(place, { start, name: this.slice(name), role: "call" }, { passed });
    }
    if (head?.type === "generic_name" && expected === undefined)
      for (const one of head.children.slice(1)) this.#type(one, place, "type");
    this.visitAll(list?.children ?? [], place);
    const made: Hint = type ? this.#typeHint(type) : unknown;
    for (const one of initializer?.children ?? []) {
      const left = one.type === "assignment_expression" ? childIn(one, "left") : undefined;
      if (left?.type !== "identifier") this.visit(one, place);
      else {
        this.#memberOf(made, left, place, "value");
        this.visitOthers(one, left, place);
      }
    }
  }

  protected hint(node: PlainNode, place: Place): Hint {
    switch (node.type) {
      case "identifier":
      case "generic_name": {
        const name = this.slice(bareName(node));
        return place.scope?.hint(name) ?? { kind: "name", name };
      }
      case "this":
      case "this_expression":
        return { kind: "self" };
      case "base":
      case "base_expression":
        return { kind: "super" };
      case "member_access_expression": {
        const name = childIn(node, "name");
        if (name === undefined) return unknown;
        return { kind: "member", of: this.#objectHint(node, place), name: this.slice(bareName(name)) };
      }
      case "conditional_access_expression": {
        const condition = childIn(node, "condition") ?? node.children[0];
        const last = node.children.at(-1);
        if (condition === undefined || last === undefined) return unknown;
        return this.hint(last, { ...place, bound: this.hint(condition, place) });
      }
      case "member_binding_expression": {
        const name = childIn(node, "name");
        return name ? { kind: "member", of: place.bound ?? unknown, name: this.slice(name) } : unknown;
      }
      case "invocation_expression":
        return this.hintOn("called", childIn(node, "function"), place);
      case "array_creation_expression":
      case "object_creation_expression":
      case "cast_expression":
      case "as_expression": {
        const type = childIn(node, "type");
        return type ? this.#typeHint(type) : unknown;
      }
      case "element_access_expression":
      case "await_expression":
        return this.hintOn("element", node.children[0], place);
      case "parenthesized_expression":
      case "postfix_unary_expression":
        return this.hintOf(node.children[0], place);
      case "binary_expression":
      case "conditional_expression": {
        return this.knownHint([node.children.at(-2), node.children.at(-1)], place) ?? plain;
      }
      default:
        return /_literal$|string|typeof|sizeof|lambda|anonymous/.test(node.type) ? plain : unknown;
    }
  }

  #typeHint(node: PlainNode): Hint {
    switch (node.type) {
      case "identifier":
        return { kind: "typed", type: this.slice(node), of: [] };
      case "generic_name": {
        const of = childOf(node, "type_argument_list")?.children.map((one) => this.#typeHint(one)) ?? [];
        return { kind: "typed", type: this.slice(node.children[0]!), of };
      }
      case "qualified_name":
        return this.#typeHint(childIn(node, "name") ?? node.children.at(-1)!);
      case "nullable_type":
      case "ref_type":
      case "scoped_type":
        return node.children[0] ? this.#typeHint(node.children[0]) : unknown;
      case "array_type":
        return { kind: "typed", type: "Array", of: node.children[0] ? [this.#typeHint(node.children[0])] : [] };
      case "implicit_type":
        return unknown;
      default:
        return plain;
    }
  }
}

const typeNodes: ReadonlySet<string> = new Set([
  "type_argument_list",
  "nullable_type",
  "array_type",
  "type_parameter_constraint",
]);

/** A generic name without its type arguments; any other node as it is. */
function bareName(node: PlainNode): PlainNode {
  return node.type === "generic_name" ? node.children[0]! : node;
}

function passedIn(list: PlainNode | undefined): Passed {
  const count = list?.children.filter(({ type }) => type === "argument" || type === "attribute_argument").length ?? 0;
  return { count, isOpen: false };
}
