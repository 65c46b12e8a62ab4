import { CHARACTERS_PER_STEP, UNLIMITED } from '../go/budget';
import { quote } from '../go/quote';
import type { Budget } from '../go/values';
import { ExpressionParser } from './expression-parser';
import type { Token } from './lexer';
import type { BranchNode, ListNode, StatementNode } from './nodes';
import { isEmptyTemplate, type Template } from './template';
import { ParsedFile } from './token-reader';

export { addTemplates, type Template } from './template';

/**
 * Parses a template. Returns it and all templates that it defines, by name.
 *
 * @throws TemplateError if Go's parser refuses the text
 */
export function parseTemplate(
  name: string,
  text: string,
  functions: ReadonlySet<string>,
  budget: Budget = UNLIMITED,
): ReadonlyMap<string, Template> {
  budget.spend(1 + text.length / CHARACTERS_PER_STEP);
  const file = new ParsedFile(name, text, functions, budget);
  new TemplateParser(name, file).parseFile();
  return file.templates;
}

interface ListEnd {
  readonly type: 'end' | 'else';
  readonly position: number;
}

const TOO_DEEP = 'max nesting of actions exceeded';

class TemplateParser extends ExpressionParser {
  private rangeDepth = 0;

  constructor(
    private name: string,
    file: ParsedFile,
  ) {
    super(file);
  }

  /** Parses to the end of the file. */
  parseFile(): void {
    const { position } = this.peek();
    const nodes: StatementNode[] = [];
    while (this.peek().type !== 'EOF') {
      if (this.parseDefinition()) continue;
      const node = this.textOrAction();
      if (isListEnd(node)) this.error(`unexpected {{${node.type}}}`);
      nodes.push(node);
    }
    this.add({ type: 'list', position, nodes });
  }

  private parseDefinition(): boolean {
    if (this.peek().type !== 'leftDelim') return false;
    const delim = this.next();
    if (this.nextNonSpace().type !== 'define') {
      this.backupTo(delim);
      return false;
    }
    new TemplateParser('definition', this.file).parseDefined();
    return true;
  }

  private parseDefined(): void {
    const context = 'define clause';
    const name = this.nextNonSpace();
    if (name.type !== 'string' && name.type !== 'rawString') this.unexpected(name, context);
    this.name = this.unquoted(name.value);
    this.expect('rightDelim', context);
    this.parseBody(context);
  }

  private parseBody(context: string): void {
    const { list, end } = this.itemList();
    if (end.type !== 'end') this.error(`unexpected {{${end.type}}} in ${context}`);
    this.add(list);
  }

  /** Adds a template. One that consists only of spaces does not replace another template. */
  private add(root: ListNode): void {
    const { templates, name: file, text } = this.file;
    const template: Template = { name: this.name, file, text, root };
    const existing = templates.get(this.name);
    if (existing === undefined || isEmptyTemplate(existing)) templates.set(this.name, template);
    else if (!isEmptyTemplate(template)) this.error(`template: multiple definition of template ${quote(this.name)}`);
  }

  private itemList(): { readonly list: ListNode; readonly end: ListEnd } {
    const { position } = this.peekNonSpace();
    const nodes: StatementNode[] = [];
    while (this.peekNonSpace().type !== 'EOF') {
      const node = this.textOrAction();
      if (isListEnd(node)) return { list: { type: 'list', position, nodes }, end: node };
      nodes.push(node);
    }
    this.error('unexpected EOF');
  }

  private textOrAction(): StatementNode | ListEnd {
    const token = this.nextNonSpace();
    if (token.type === 'text') return { type: 'text', position: token.position, text: token.value };
    if (token.type !== 'leftDelim') return this.unexpected(token, 'input');
    this.actionLine = token.line;
    const node = this.action();
    this.actionLine = 0;
    return node;
  }

  private action(): StatementNode | ListEnd {
    const token = this.nextNonSpace();
    switch (token.type) {
      case 'block':
        return this.nested(TOO_DEEP, () => this.block());
      case 'break':
      case 'continue':
        return this.loopControl(token.type, token.position);
      case 'else':
        return this.elseControl();
      case 'end':
        return { type: 'end', position: this.expect('rightDelim', 'end').position };
      case 'if':
      case 'range':
      case 'with':
        return this.control(token.type);
      case 'template':
        return this.templateControl();
      default:
        this.backup();
        return { type: 'action', position: this.peek().position, pipe: this.pipeline('command', 'rightDelim') };
    }
  }

  private loopControl(type: 'break' | 'continue', position: number): StatementNode {
    const token = this.nextNonSpace();
    if (token.type !== 'rightDelim') this.unexpected(token, `{{${type}}}`);
    if (this.rangeDepth === 0) this.error(`{{${type}}} outside {{range}}`);
    return { type, position };
  }

  private elseControl(): ListEnd {
    const { type, position } = this.peekNonSpace();
    if (type === 'if' || type === 'with') return { type: 'else', position };
    return { type: 'else', position: this.expect('rightDelim', 'else').position };
  }

  private control(type: BranchNode['type']): BranchNode {
    return this.nested(TOO_DEEP, () => this.inScope(() => this.branch(type)));
  }

  private branch(type: BranchNode['type']): BranchNode {
    const pipe = this.pipeline(type, 'rightDelim');
    if (type === 'range') this.rangeDepth += 1;
    const { list, end } = this.itemList();
    if (type === 'range') this.rangeDepth -= 1;
    const elseList = end.type === 'else' ? this.elseList(type, end.position) : undefined;
    return { type, position: pipe.position, pipe, list, elseList };
  }

  private elseList(type: BranchNode['type'], position: number): ListNode {
    // `{{else if}}` and `{{else with}}` share the `{{end}}` of their `{{if}}` or `{{with}}`.
    if (type !== 'range' && this.peek().type === type) {
      this.next();
      return { type: 'list', position, nodes: [this.control(type)] };
    }
    const { list, end } = this.itemList();
    if (end.type !== 'end') this.error(`expected end; found {{${end.type}}}`);
    return list;
  }

  private block(): StatementNode {
    const context = 'block clause';
    const token = this.nextNonSpace();
    const name = this.templateName(token, context);
    const pipe = this.pipeline(context, 'rightDelim');
    new TemplateParser(name, this.file).parseBody(context);
    return { type: 'template', position: token.position, name, pipe };
  }

  private templateControl(): StatementNode {
    const context = 'template clause';
    const token = this.nextNonSpace();
    const name = this.templateName(token, context);
    if (this.nextNonSpace().type === 'rightDelim') return { type: 'template', position: token.position, name };
    this.backup();
    return { type: 'template', position: token.position, name, pipe: this.pipeline(context, 'rightDelim') };
  }

  private templateName(token: Token, context: string): string {
    if (token.type !== 'string' && token.type !== 'rawString') this.unexpected(token, context);
    return this.unquoted(token.value);
  }
}

function isListEnd(node: StatementNode | ListEnd): node is ListEnd {
  return node.type === 'end' || node.type === 'else';
}
