import { quote } from '../go/quote';
import type { NumberConstant } from './number-constant';

/** The nodes of a parsed template, named as in Go's package text/template/parse. */

interface Positioned {
  /** The position in the text of its template that Go's errors report. */
  readonly position: number;
}

export interface ListNode extends Positioned {
  readonly type: 'list';
  readonly nodes: readonly StatementNode[];
}

interface TextNode extends Positioned {
  readonly type: 'text';
  readonly text: string;
}

interface ActionNode extends Positioned {
  readonly type: 'action';
  readonly pipe: PipeNode;
}

export interface BranchNode extends Positioned {
  readonly type: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList?: ListNode;
}

export interface TemplateNode extends Positioned {
  readonly type: 'template';
  readonly name: string;
  readonly pipe?: PipeNode;
}

interface LoopControlNode extends Positioned {
  readonly type: 'break' | 'continue';
}

/** The nodes of a list. */
export type StatementNode = TextNode | ActionNode | BranchNode | TemplateNode | LoopControlNode;

export interface PipeNode extends Positioned {
  readonly type: 'pipe';
  /** Whether it assigns to its variables instead of declaring them. */
  readonly isAssign: boolean;
  /** Names of the variables, each with its `$`. */
  readonly declarations: readonly string[];
  readonly commands: readonly CommandNode[];
}

export interface CommandNode extends Positioned {
  readonly type: 'command';
  readonly operands: readonly [OperandNode, ...OperandNode[]];
}

interface ConstantNode extends Positioned {
  readonly type: 'dot' | 'nil' | 'true' | 'false';
}

interface NumberNode extends Positioned {
  readonly type: 'number';
  readonly text: string;
  readonly constant: NumberConstant;
}

interface StringNode extends Positioned {
  readonly type: 'string';
  /** The constant with its quotes. */
  readonly quoted: string;
  readonly text: string;
}

interface FieldNode extends Positioned {
  readonly type: 'field';
  readonly names: readonly string[];
}

interface VariableNode extends Positioned {
  readonly type: 'variable';
  /** The name with its `$`. */
  readonly name: string;
  readonly fields: readonly string[];
}

interface IdentifierNode extends Positioned {
  readonly type: 'identifier';
  readonly name: string;
}

interface ChainNode extends Positioned {
  readonly type: 'chain';
  readonly node: OperandNode;
  readonly fields: readonly string[];
}

/** The operands of a command. */
export type OperandNode =
  | ConstantNode
  | NumberNode
  | StringNode
  | FieldNode
  | VariableNode
  | IdentifierNode
  | ChainNode
  | PipeNode;

/** The nodes to which errors refer. */
export type ErrorNode = OperandNode | CommandNode | TemplateNode;

/** Returns the text of a node in Go's errors, which is normalized. */
export function nodeText(node: ErrorNode): string {
  switch (node.type) {
    case 'dot':
      return '.';
    case 'nil':
    case 'true':
    case 'false':
      return node.type;
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
    case 'identifier':
      return node.name;
    case 'field':
      return fieldsText(node.names);
    case 'variable':
      return node.name + fieldsText(node.fields);
    case 'chain':
      return operandText(node.node) + fieldsText(node.fields);
    case 'pipe':
      return pipeText(node);
    case 'command':
      return node.operands.map(operandText).join(' ');
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${pipeText(node.pipe)}`}}}`;
  }
}

function pipeText({ declarations, isAssign, commands }: PipeNode): string {
  const declared = declarations.length > 0 ? `${declarations.join(', ')} ${isAssign ? '=' : ':='} ` : '';
  return declared + commands.map(nodeText).join(' | ');
}

function operandText(node: OperandNode): string {
  return node.type === 'pipe' ? `(${pipeText(node)})` : nodeText(node);
}

function fieldsText(names: readonly string[]): string {
  return names.map((name) => `.${name}`).join('');
}
