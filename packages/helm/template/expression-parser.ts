import { quote, unquote } from '../go/quote';
import { builtinFunctions } from './builtin-functions';
import type { Token, TokenType } from './lexer';
import { type CommandNode, nodeText, type OperandNode, type PipeNode } from './nodes';
import { parseCharacter, parseNumber } from './number-constant';
import { type ParsedFile, TokenReader } from './token-reader';

const OPERAND_STARTS: ReadonlySet<TokenType> = new Set<TokenType>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
]);

/** Operands whose value is a constant: nothing can be piped into them. */
const NOT_EXECUTABLE: ReadonlySet<OperandNode['type']> = new Set<OperandNode['type']>([
  'true',
  'false',
  'dot',
  'nil',
  'number',
  'string',
]);

/** Parses pipelines. */
export class ExpressionParser extends TokenReader {
  private readonly variables: string[] = ['$'];
  /** How often each variable is declared. Searching the list of variables would be slow in a long template. */
  private readonly declared = new Map([['$', 1]]);

  constructor(file: ParsedFile) {
    super(file);
  }

  protected pipeline(context: string, end: TokenType): PipeNode {
    const { position } = this.peekNonSpace();
    const { declarations, isAssign } = this.declarations(context);
    const commands: CommandNode[] = [];
    for (let token = this.nextNonSpace(); token.type !== end; token = this.nextNonSpace()) {
      if (!OPERAND_STARTS.has(token.type)) this.unexpected(token, context);
      this.backup();
      commands.push(this.command());
    }
    this.checkPipeline(commands, context);
    return { type: 'pipe', position, isAssign, declarations, commands };
  }

  /** Runs a function in its own scope of variables. */
  protected inScope<T>(read: () => T): T {
    const { length } = this.variables;
    const result = read();
    for (const name of this.variables.splice(length)) this.declared.set(name, (this.declared.get(name) ?? 0) - 1);
    return result;
  }

  private declarations(context: string): { declarations: readonly string[]; isAssign: boolean } {
    const declarations: string[] = [];
    for (;;) {
      const variable = this.peekNonSpace();
      if (variable.type !== 'variable') return { declarations, isAssign: false };
      this.next();
      const afterVariable = this.peek();
      const next = this.peekNonSpace();
      const isComma = next.type === 'char' && next.value === ',';
      if (!isComma && next.type !== 'assign' && next.type !== 'declare') {
        if (afterVariable.type === 'space') this.backupTo(variable, afterVariable);
        else this.backupTo(variable);
        return { declarations, isAssign: false };
      }
      this.nextNonSpace();
      this.declare(variable.value);
      declarations.push(variable.value);
      if (!isComma) return { declarations, isAssign: next.type === 'assign' };
      this.checkSecondVariable(context, declarations.length);
    }
  }

  /** Refuses a second variable outside of `range`. */
  private checkSecondVariable(context: string, count: number): void {
    if (context !== 'range' || count >= 2) this.error(`too many declarations in ${context}`);
    const { type } = this.peekNonSpace();
    if (type !== 'variable' && type !== 'rightDelim' && type !== 'rightParen') {
      this.error('range can only initialize variables');
    }
  }

  private declare(name: string): void {
    this.variables.push(name);
    this.declared.set(name, (this.declared.get(name) ?? 0) + 1);
  }

  private checkPipeline(commands: readonly CommandNode[], context: string): void {
    if (commands.length === 0) this.error(`missing value for ${context}`);
    commands.forEach((command, index) => {
      if (index > 0 && NOT_EXECUTABLE.has(command.operands[0].type)) {
        this.error(`non executable command in pipeline stage ${index + 1}`);
      }
    });
  }

  private command(): CommandNode {
    const { position } = this.peekNonSpace();
    const operands: OperandNode[] = [];
    let token: Token;
    do {
      this.peekNonSpace();
      const operand = this.operand();
      if (operand !== undefined) operands.push(operand);
      token = this.next();
    } while (token.type === 'space');
    if (token.type === 'rightDelim' || token.type === 'rightParen') this.backup();
    else if (token.type !== 'pipe') this.unexpected(token, 'operand');
    const [first, ...rest] = operands;
    return first === undefined
      ? this.error('empty command')
      : { type: 'command', position, operands: [first, ...rest] };
  }

  private operand(): OperandNode | undefined {
    const term = this.term();
    if (term === undefined || this.peek().type !== 'field') return term;
    const { position } = this.peek();
    const fields: string[] = [];
    while (this.peek().type === 'field') fields.push(this.next().value.slice(1));
    switch (term.type) {
      case 'field':
        return { type: 'field', position, names: [...term.names, ...fields] };
      case 'variable':
        return { type: 'variable', position, name: term.name, fields: [...term.fields, ...fields] };
      case 'identifier':
      case 'pipe':
        return { type: 'chain', position, node: term, fields };
      default:
        return this.error(`unexpected . after term ${quote(nodeText(term))}`);
    }
  }

  private term(): OperandNode | undefined {
    const token = this.nextNonSpace();
    const { position, value } = token;
    switch (token.type) {
      case 'identifier':
        return this.identifier(token);
      case 'dot':
      case 'nil':
        return { type: token.type, position };
      case 'variable':
        if ((this.declared.get(value) ?? 0) === 0) this.error(`undefined variable ${quote(value)}`);
        return { type: 'variable', position, name: value, fields: [] };
      case 'field':
        return { type: 'field', position, names: [value.slice(1)] };
      case 'bool':
        return { type: value === 'true' ? 'true' : 'false', position };
      case 'charConstant':
      case 'complex':
      case 'number':
        return this.number(token);
      case 'leftParen':
        return this.nested('max expression depth exceeded', () =>
          this.pipeline('parenthesized pipeline', 'rightParen'),
        );
      case 'string':
      case 'rawString':
        return { type: 'string', position, quoted: value, text: this.unquoted(value) };
      default:
        this.backup();
        return undefined;
    }
  }

  private identifier({ position, value }: Token): OperandNode {
    if (!this.file.functions.has(value) && !builtinFunctions.has(value)) {
      this.error(`function ${quote(value)} not defined`);
    }
    return { type: 'identifier', position, name: value };
  }

  private number({ type, position, value }: Token): OperandNode {
    const constant = type === 'charConstant' ? parseCharacter(value) : parseNumber(value);
    if ('reason' in constant) return this.error(constant.reason);
    return { type: 'number', position, text: value, constant };
  }

  protected unquoted(constant: string): string {
    return unquote(constant) ?? this.error('invalid syntax');
  }
}
