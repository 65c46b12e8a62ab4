import { invoke, type RenderBudget } from '../go/budget';
import { quote } from '../go/quote';
import {
  assignable,
  entriesOf,
  hasBoxedElements,
  isGoObject,
  isTrue,
  mapElement,
  NilMap,
  parameterTypeName,
  typeOf,
} from '../go/reflect';
import { fieldOf } from '../go/struct-object';
import {
  FunctionError,
  type GoFunction,
  type GoFunctions,
  GoInt,
  type GoParameterType,
  type GoValue,
} from '../go/values';
import { builtinFunctions } from './builtin-functions';
import { type CommandNode, type ErrorNode, nodeText, type OperandNode, type PipeNode } from './nodes';
import type { NumberConstant } from './number-constant';
import { placeOf, type Template } from './template';
import { TemplateError, templateErrorIn } from './template-error';

/** The context of an execution: everything but the template and its data. */
export interface ExecutionContext {
  readonly templates: ReadonlyMap<string, Template>;
  readonly functions: GoFunctions;
  readonly budget: RenderBudget;
}

/** A value, and whether Go holds it in an `interface {}`, as elements of lists and maps: errors then name this type. */
export interface Held {
  readonly value: GoValue;
  readonly isBoxed: boolean;
}

interface Variable {
  readonly name: string;
  held: Held;
}

const NOTHING_PIPED = Symbol('nothing piped');

type Piped = GoValue | typeof NOTHING_PIPED;

interface Call {
  readonly dot: Held;
  readonly node: ErrorNode;
  readonly args: readonly OperandNode[];
  readonly piped: Piped;
}

const VARIABLES_PER_STEP = 16;

/** Evaluates the pipelines of one execution of a template. */
export class Evaluator {
  /** The node that is being evaluated, for errors. */
  protected node: ErrorNode | undefined;
  private readonly variables: Variable[];

  constructor(
    protected readonly template: Template,
    protected readonly context: ExecutionContext,
    data: Held,
  ) {
    this.variables = [{ name: '$', held: data }];
  }

  /** Returns the data with which the template is executed. */
  protected dollar(): Held {
    return this.variable('$').held;
  }

  /** Returns the number of variables, which `endScope` restores. */
  protected scope(): number {
    return this.variables.length;
  }

  protected endScope(scope: number): void {
    this.variables.length = scope;
  }

  /** Sets the n-th last variable. */
  protected setLast(n: number, held: Held): void {
    const variable = this.variables.at(-n);
    if (variable !== undefined) variable.held = held;
  }

  protected assign(name: string, held: Held): void {
    this.variable(name).held = held;
  }

  protected evalPipeline(dot: Held, pipe: PipeNode): GoValue {
    this.node = pipe;
    this.context.budget.enter();
    let piped: Piped = NOTHING_PIPED;
    for (const command of pipe.commands) {
      // Go unwraps the value from its interface; a nil becomes no value.
      piped = this.evalCommand(dot, command, piped) ?? undefined;
    }
    this.context.budget.leave();
    const value = piped === NOTHING_PIPED ? undefined : piped;
    for (const name of pipe.declarations) {
      const held = { value, isBoxed: false };
      if (pipe.isAssign) this.assign(name, held);
      else this.variables.push({ name, held });
    }
    return value;
  }

  protected fail(reason: string, cause?: unknown): never {
    const { file, name, text } = this.template;
    const node = this.node;
    const { line, column } = placeOf(text, node?.position ?? 0);
    const context = node === undefined ? '' : nodeText(node);
    const message = `template: ${file}:${line}:${column}: executing ${quote(name)} at <${context}>: ${reason}`;
    const innermost = templateErrorIn(cause) ?? { template: file, line, column, reason };
    throw new TemplateError(message, innermost, { cause });
  }

  private evalCommand(dot: Held, command: CommandNode, piped: Piped): GoValue {
    this.context.budget.spend(1);
    const [first, ...args] = command.operands;
    switch (first.type) {
      case 'field':
        this.node = first;
        return this.evalFields(dot, first.names, { dot, node: first, args, piped });
      case 'chain':
        return this.evalChain(first.node, first.fields, { dot, node: first, args, piped });
      case 'identifier':
        this.node = first;
        return this.evalFunction(first.name, { dot, node: command, args, piped });
      case 'variable':
        this.node = first;
        return this.evalVariable(first.name, first.fields, { dot, node: first, args, piped });
      case 'pipe':
        this.refuseArguments(first, args, piped);
        return this.evalPipeline(dot, first);
    }
    this.node = first;
    this.refuseArguments(first, args, piped);
    if (first.type === 'nil') this.fail('nil is not a command');
    return first.type === 'dot' ? dot.value : this.constant(first);
  }

  private refuseArguments(first: OperandNode, args: readonly OperandNode[], piped: Piped): void {
    if (args.length > 0 || piped !== NOTHING_PIPED) {
      // Go prints the node with `%s`, which shows a pipeline without its parentheses.
      this.fail(`can't give argument to non-function ${nodeText(first)}`);
    }
  }

  private variable(name: string): Variable {
    for (let index = this.variables.length - 1; index >= 0; index -= 1) {
      const variable = this.variables[index];
      if (variable?.name !== name) continue;
      this.context.budget.spend((this.variables.length - index) / VARIABLES_PER_STEP);
      return variable;
    }
    return this.fail(`undefined variable: ${name}`);
  }

  private evalVariable(name: string, fields: readonly string[], call: Call): GoValue {
    const { held } = this.variable(name);
    if (fields.length > 0) return this.evalFields(held, fields, call);
    if (call.node.type === 'variable') this.refuseArguments(call.node, call.args, call.piped);
    return held.value;
  }

  private evalChain(node: OperandNode, fields: readonly string[], call: Call): GoValue {
    this.node = call.node;
    const value = this.evalArgument(call.dot, undefined, node);
    return this.evalFields({ value, isBoxed: value === null }, fields, call);
  }

  /** Evaluates a chain of fields. The last one may be a method, which receives the arguments. */
  private evalFields(receiver: Held, names: readonly string[], call: Call): GoValue {
    let held = receiver;
    for (let index = 0; index < names.length - 1; index += 1) {
      const value = this.evalField(held, names[index] ?? '', { ...call, args: [], piped: NOTHING_PIPED });
      held = { value, isBoxed: value === null || this.boxes(held.value) };
    }
    return this.evalField(held, names.at(-1) ?? '', call);
  }

  private boxes(receiver: GoValue): boolean {
    return entriesOf(receiver) !== undefined && hasBoxedElements(receiver);
  }

  private evalField(receiver: Held, name: string, call: Call): GoValue {
    const { value } = receiver;
    if (value === undefined) return undefined;
    const type = receiver.isBoxed ? 'interface {}' : typeOf(value);
    if (value === null) return this.fail(`nil pointer evaluating interface {}.${name}`);
    if (value instanceof Map) {
      this.refuseFieldArguments(call, `${name} is not a method but has arguments`);
      return mapElement(value, name);
    }
    if (!isGoObject(value)) return this.fail(`can't evaluate field ${name} in type ${type}`);
    const method = value.methods.get(name);
    if (method !== undefined) return this.evalCall(method, name, call);
    const field = fieldOf(value, name);
    if (field !== undefined) {
      this.refuseFieldArguments(call, `${name} has arguments but cannot be invoked as function`);
      return field;
    }
    if (entriesOf(value) === undefined) return this.fail(`can't evaluate field ${name} in type ${type}`);
    this.refuseFieldArguments(call, `${name} is not a method but has arguments`);
    return mapElement(value, name);
  }

  private refuseFieldArguments({ args, piped }: Call, reason: string): void {
    if (args.length > 0 || piped !== NOTHING_PIPED) this.fail(reason);
  }

  private evalFunction(name: string, call: Call): GoValue {
    const given = this.context.functions.get(name);
    const builtin = builtinFunctions.get(name);
    const fn = given ?? builtin;
    if (fn === undefined) return this.fail(`${quote(name)} is not a defined function`);
    if (fn === builtin && (name === 'and' || name === 'or')) return this.evalLogic(name, call);
    if (fn === builtin && name === 'call') return this.evalCallFunction(fn, call);
    return this.evalCall(fn, name, call);
  }

  /** `and` and `or` evaluate no arguments after the one that decides. */
  private evalLogic(name: 'and' | 'or', { dot, args, piped }: Call): GoValue {
    if (args.length === 0 && piped === NOTHING_PIPED) {
      return this.fail(`wrong number of args for ${name}: want at least 1 got 0`);
    }
    let value: GoValue;
    for (const argument of args) {
      value = this.evalArgument(dot, 'value', argument);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return piped === NOTHING_PIPED ? value : piped;
  }

  /** Passes the text of the callee, which the errors of `call` name. */
  private evalCallFunction(fn: GoFunction, call: Call): GoValue {
    const [first] = call.args;
    const callee = first === undefined ? pipedText(call.piped) : nodeText(first);
    const named: GoFunction = { ...fn, call: (args, budget) => fn.call([callee, ...args], budget) };
    return this.evalCall(named, 'call', call);
  }

  private evalCall(fn: GoFunction, name: string, call: Call): GoValue {
    const { budget } = this.context;
    budget.enter();
    const args = this.evalArguments(fn, name, call);
    try {
      const result = invoke(fn, args, budget);
      budget.leave();
      return result;
    } catch (error) {
      if (!(error instanceof FunctionError) && !(error instanceof TemplateError)) throw error;
      this.node = call.node;
      return this.fail(`error calling ${name}: ${error.message}`, error);
    }
  }

  private evalArguments({ parameters, rest }: GoFunction, name: string, call: Call): GoValue[] {
    const { dot, args, piped } = call;
    const count = args.length + (piped === NOTHING_PIPED ? 0 : 1);
    if (rest === undefined && count !== parameters.length) {
      this.fail(`wrong number of args for ${name}: want ${parameters.length} got ${count}`);
    }
    if (count < parameters.length) {
      this.fail(`wrong number of args for ${name}: want at least ${parameters.length} got ${args.length}`);
    }
    const values = args.map((argument, index) => this.evalArgument(dot, parameters[index] ?? rest, argument));
    if (piped !== NOTHING_PIPED) values.push(this.convert(piped, parameters[args.length] ?? rest));
    return values;
  }

  /** Evaluates an argument for a type of parameter; without a type for a chain, which accepts every value. */
  private evalArgument(dot: Held, type: GoParameterType | undefined, argument: OperandNode): GoValue {
    this.node = argument;
    const call: Call = { dot, node: argument, args: [], piped: NOTHING_PIPED };
    switch (argument.type) {
      case 'dot':
        return this.convert(dot.value, type);
      case 'nil':
        return this.nil(type);
      case 'field':
        return this.convert(this.evalFields(dot, argument.names, call), type);
      case 'variable':
        return this.convert(this.evalVariable(argument.name, argument.fields, call), type);
      case 'pipe':
        return this.convert(this.evalPipeline(dot, argument), type);
      case 'identifier':
        return this.convert(this.evalFunction(argument.name, call), type);
      case 'chain':
        return this.convert(this.evalChain(argument.node, argument.fields, call), type);
      default:
        return this.constantFor(type, argument);
    }
  }

  private nil(type: GoParameterType | undefined): GoValue {
    switch (type) {
      case undefined:
        return this.fail(`indirection through explicit nil in ${this.node === undefined ? '' : nodeText(this.node)}`);
      case 'any':
        return null;
      case 'value':
        return undefined;
      case 'list':
      case 'strings':
        return [];
      case 'map':
        return new NilMap();
      default:
        return this.fail(`cannot assign nil to ${type}`);
    }
  }

  /** Converts a value to the type of a parameter. Fails if Go cannot assign it. */
  private convert(value: GoValue, type: GoParameterType | undefined): GoValue {
    if (type === undefined || type === 'value') return value;
    if (type === 'any') return isGoObject(value) ? (value.copy ?? value) : (value ?? null);
    if (value === undefined) {
      if (type === 'list' || type === 'strings' || type === 'map') return this.nil(type);
      return this.fail(`invalid value; expected ${type}`);
    }
    const converted = assignable(value, type);
    if (converted !== undefined) return converted;
    const got = value === null ? 'interface {}' : typeOf(value);
    return this.fail(`wrong type for value; expected ${parameterTypeName(type)}; got ${got}`);
  }

  private constantFor(type: GoParameterType | undefined, node: OperandNode): GoValue {
    const isNumber = node.type === 'number';
    switch (type) {
      case 'bool':
        if (node.type === 'true' || node.type === 'false') return node.type === 'true';
        return this.fail(`expected bool; found ${nodeText(node)}`);
      case 'string':
        return node.type === 'string' ? node.text : this.fail(`expected string; found ${nodeText(node)}`);
      case 'int':
      case 'int64':
        if (isNumber && node.constant.int !== undefined) return new GoInt(node.constant.int, type);
        return this.fail(`expected integer; found ${nodeText(node)}`);
      case 'float64':
        return isNumber ? node.constant.float : this.fail(`expected float; found ${nodeText(node)}`);
      case 'list':
      case 'strings':
      case 'map':
        return this.fail(`can't handle ${nodeText(node)} for arg of type ${parameterTypeName(type)}`);
      default:
        return this.constant(node);
    }
  }

  private constant(node: OperandNode): GoValue {
    switch (node.type) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'string':
        return node.text;
      case 'number':
        return idealConstant(node.constant) ?? this.fail(`${node.text} overflows int`);
      default:
        return this.fail(`can't handle assignment of ${nodeText(node)} to empty interface argument`);
    }
  }
}

function pipedText(piped: Piped): string {
  if (typeof piped === 'string') return piped;
  return `<${typeof piped === 'symbol' ? 'invalid' : typeOf(piped)} Value>`;
}

/** Returns the value of an untyped constant; undefined if it is too large. */
function idealConstant({ isFloatSyntax, float, int }: NumberConstant): GoValue {
  if (isFloatSyntax) return float;
  return int === undefined ? undefined : new GoInt(int);
}
