import { invoke, type RenderBudget, sortTexts } from '../go/budget';
import { joinStrayBytes } from '../go/go-string';
import { goPrint } from '../go/print';
import { quote } from '../go/quote';
import { elementsOf, entriesOf, hasBoxedElements, isGoObject, isTrue, mapElement } from '../go/reflect';
import { FunctionError, type GoFunctions, GoInt, type GoValue } from '../go/values';
import { Evaluator, type Held } from './evaluator';
import type { BranchNode, ListNode, StatementNode, TemplateNode } from './nodes';
import type { Template } from './template';

/** The options of an execution. */
export interface ExecuteOptions {
  readonly functions: GoFunctions;
  readonly budget: RenderBudget;
}

/**
 * Executes a template and returns its output.
 *
 * @throws TemplateError if Go refuses the template, LimitError if it exceeds the budget, FunctionError for an unknown
 * name
 */
export function executeTemplate(
  templates: ReadonlyMap<string, Template>,
  name: string,
  data: GoValue,
  { functions, budget }: ExecuteOptions,
): string {
  const template = templates.get(name);
  if (template === undefined) {
    throw new FunctionError(`template: no template ${quote(name)} associated with template "gotpl"`);
  }
  const dot = { value: data ?? undefined, isBoxed: false };
  return joinStrayBytes(new Execution(template, { templates, functions, budget }, dot).run());
}

type Leave = 'break' | 'continue' | undefined;

class Execution extends Evaluator {
  private output = '';

  /** Runs the template. */
  run(): string {
    const { budget } = this.context;
    budget.enter();
    this.walkList(this.dollar(), this.template.root);
    budget.leave();
    return this.output;
  }

  private walkList(dot: Held, { nodes }: ListNode): Leave {
    for (const node of nodes) {
      const leave = this.walk(dot, node);
      if (leave !== undefined) return leave;
    }
    return undefined;
  }

  private walk(dot: Held, node: StatementNode): Leave {
    this.context.budget.spend(1);
    switch (node.type) {
      case 'text':
        this.print(node.text);
        return undefined;
      case 'action': {
        const value = this.evalPipeline(dot, node.pipe);
        if (node.pipe.declarations.length === 0) this.print(this.printed(value));
        return undefined;
      }
      case 'if':
      case 'with':
        return this.walkIfOrWith(dot, node);
      case 'range':
        return this.walkRange(dot, node);
      case 'template':
        this.walkTemplate(dot, node);
        return undefined;
      default:
        return node.type;
    }
  }

  private print(text: string): void {
    this.context.budget.print(text.length);
    this.output += text;
  }

  /** Prints a value as an action does: by its method String, even if only its pointer has that method. */
  private printed(value: GoValue): string {
    if (typeof value === 'string') return value;
    if (value === undefined) return '<no value>';
    const { budget } = this.context;
    const stringer = isGoObject(value) ? value.methods.get('String') : undefined;
    if (stringer !== undefined) return String(invoke(stringer, [], budget));
    const text = goPrint(value, budget);
    // Go prints the target of a pointer.
    return isGoObject(value) && value.goKind === 'ptr' ? text.replace(/^&/, '') : text;
  }

  private walkIfOrWith(dot: Held, { type, pipe, list, elseList }: BranchNode): Leave {
    const scope = this.scope();
    const value = this.evalPipeline(dot, pipe);
    this.context.budget.enter();
    let leave: Leave;
    if (isTrue(value)) leave = this.walkList(type === 'with' ? { value, isBoxed: false } : dot, list);
    else if (elseList !== undefined) leave = this.walkList(dot, elseList);
    this.context.budget.leave();
    this.endScope(scope);
    return leave;
  }

  private walkRange(dot: Held, node: BranchNode): Leave {
    const scope = this.scope();
    const value = this.evalPipeline(dot, node.pipe);
    this.context.budget.enter(2);
    const isEmpty = !this.iterate(value, node);
    const leave = isEmpty && node.elseList !== undefined ? this.walkList(dot, node.elseList) : undefined;
    this.context.budget.leave(2);
    this.endScope(scope);
    return leave;
  }

  /** Executes the body for each element. Returns whether there is an element. */
  private iterate(value: GoValue, node: BranchNode): boolean {
    if (value === undefined) return false;
    if (value instanceof GoInt) return this.iterateInteger(value, node);
    const isBoxed = hasBoxedElements(value);
    const elements = elementsOf(value);
    if (elements !== undefined) {
      elements.every((element, index) =>
        this.iteration(node, new GoInt(BigInt(index)), { value: element ?? null, isBoxed }),
      );
      return elements.length > 0;
    }
    const entries = entriesOf(value);
    if (entries === undefined) this.fail(`range can't iterate over ${goPrint(value, this.context.budget)}`);
    // Entries are read before the first iteration, because the body may change the map.
    const sorted = sortTexts([...entries.keys()], this.context.budget).map(
      (key) => [key, mapElement(value, key)] as const,
    );
    sorted.every(([key, element]) => this.iteration(node, key, { value: element, isBoxed }));
    return sorted.length > 0;
  }

  private iterateInteger({ value, type }: GoInt, node: BranchNode): boolean {
    if (node.pipe.declarations.length > 1) this.fail(`can't use ${value} to iterate over more than one variable`);
    for (let index = 0n; index < value; index += 1n) {
      if (!this.iteration(node, undefined, { value: new GoInt(index, type), isBoxed: false })) break;
    }
    return value > 0n;
  }

  /** Executes the body for one element. Returns whether to continue. */
  private iteration(node: BranchNode, index: GoValue, element: Held): boolean {
    this.context.budget.spend(1);
    this.setRangeVariables(node, { value: index, isBoxed: false }, element);
    const scope = this.scope();
    const leave = this.walkList(element, node.list);
    this.endScope(scope);
    return leave !== 'break';
  }

  private setRangeVariables({ pipe }: BranchNode, index: Held, element: Held): void {
    const [first, second] = pipe.declarations;
    if (first === undefined) return;
    if (!pipe.isAssign) {
      this.setLast(1, element);
      if (second !== undefined) this.setLast(2, index);
    } else if (second === undefined) {
      this.assign(first, element);
    } else {
      this.assign(first, index);
      this.assign(second, element);
    }
  }

  private walkTemplate(dot: Held, node: TemplateNode): void {
    this.node = node;
    const template = this.context.templates.get(node.name);
    if (template === undefined) this.fail(`template ${quote(node.name)} not defined`);
    const value = node.pipe === undefined ? undefined : this.evalPipeline(dot, node.pipe);
    this.output += new Execution(template, this.context, { value, isBoxed: false }).run();
  }
}
