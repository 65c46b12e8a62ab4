/** A command of a script: its words after the shell has read them, without redirections and variables before it. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Whether a word depends on the run of the script, e.g. `$name` or `$(…)`. */
  readonly isDynamic: boolean;
}

/** Keywords of the shell before a command. */
const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{', 'time']);

/** Keywords of the shell that end a construct, or begin a list of words. */
const NO_COMMANDS = new Set(['fi', 'done', '}', 'for', 'case', 'esac']);

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** A placeholder for text that depends on the run of the script. */
const UNKNOWN = '$';

/** Returns the commands of a script that Bash has accepted, including those in `$(…)`. */
export function commandsIn(script: string): readonly ShellCommand[] {
  return new Reader(script).read();
}

class Reader {
  private readonly commands: ShellCommand[] = [];
  private words: string[] = [];
  private word: string | undefined;
  private isDynamic = false;
  private isTarget = false;
  private readonly documents: string[] = [];
  private at = 0;

  constructor(private readonly script: string) {}

  read(): readonly ShellCommand[] {
    while (this.at < this.script.length) this.step();
    this.endCommand();
    return this.commands;
  }

  private step(): void {
    const { script, at } = this;
    const character = script[at] ?? '';
    const rest = script.slice(at);
    if (rest.startsWith('\\\n')) this.at += 2;
    else if (character === '\\') this.add(script[at + 1] ?? '', 2);
    else if (character === "'") this.quoted();
    else if (character === '"') this.doubleQuoted();
    else if (/^[$<>]\(/.test(rest)) this.substitution();
    else if (character === '$') this.variable();
    else if (character === '#' && this.word === undefined) this.at = this.endOfLine();
    else if (this.isRedirection(rest)) this.redirection(rest);
    else if (character === '\n') this.newLine();
    else if (/[;&|()]/.test(character)) this.separator();
    else if (/\s/.test(character)) this.space();
    else this.add(character, 1);
  }

  private add(text: string, length: number): void {
    this.word = (this.word ?? '') + text;
    this.at += length;
  }

  private quoted(): void {
    const end = this.script.indexOf("'", this.at + 1);
    this.add(this.script.slice(this.at + 1, end), end - this.at + 1);
  }

  private doubleQuoted(): void {
    this.add('', 1);
    while (this.script[this.at] !== '"' && this.at < this.script.length) this.stepInQuotes();
    this.at += 1;
  }

  private stepInQuotes(): void {
    const rest = this.script.slice(this.at, this.at + 2);
    if (rest === '\\\n') this.add('', 2);
    else if (/^\\["\\$`]/.test(rest)) this.add(rest.slice(1), 2);
    else if (rest === '$(') this.substitution();
    else if (rest.startsWith('$')) this.variable();
    else this.add(rest.slice(0, 1), 1);
  }

  /** Reads `$(…)` and `<(…)`, which contain commands of the script. */
  private substitution(): void {
    const begin = this.at + 2;
    let depth = 1;
    let end = begin;
    let quote = '';
    for (; end < this.script.length && depth > 0; end += 1) {
      const character = this.script[end] ?? '';
      if (quote !== '') quote = character === quote ? '' : quote;
      else if (/["']/.test(character)) quote = character;
      else if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
    }
    this.commands.push(...commandsIn(this.script.slice(begin, end - 1)));
    this.isDynamic = true;
    this.add(UNKNOWN, end - this.at);
  }

  private variable(): void {
    const [name = '$'] = /^\$(?:\{[^}]*\}|\w+|[?#@*!$-])?/.exec(this.script.slice(this.at)) ?? [];
    this.isDynamic = true;
    this.add(UNKNOWN, name.length);
  }

  private isRedirection(rest: string): boolean {
    return /^(?:[<>]|&>)/.test(rest) || (this.word === undefined && /^\d+[<>]/.test(rest));
  }

  private redirection(rest: string): void {
    const [operator = ''] = /^\d*(?:<<<|<<-?|&?>>?|<)(?:&[\d-])?/.exec(rest) ?? [];
    this.endWord();
    this.at += operator.length;
    if (/^\d*<<-?$/.test(operator)) this.hereDocument();
    else this.isTarget = !/&[\d-]$/.test(operator);
  }

  private hereDocument(): void {
    const [text = '', name = ''] = /^\s*['"]?([\w-]+)['"]?/.exec(this.script.slice(this.at)) ?? [];
    this.at += text.length;
    this.documents.push(name);
  }

  private newLine(): void {
    this.endCommand();
    this.at += 1;
    for (const name of this.documents.splice(0)) {
      const [text = ''] = new RegExp(`^[\\s\\S]*?^\\s*${name}$`, 'm').exec(this.script.slice(this.at)) ?? [];
      this.at += text.length;
    }
  }

  private separator(): void {
    this.endCommand();
    this.at += 1;
  }

  private space(): void {
    this.endWord();
    this.at += 1;
  }

  private endOfLine(): number {
    const end = this.script.indexOf('\n', this.at);
    return end === -1 ? this.script.length : end;
  }

  private endWord(): void {
    if (this.word === undefined) return;
    if (this.isTarget) this.isTarget = false;
    else if (!this.isBeforeCommand(this.word)) this.words.push(this.word);
    this.word = undefined;
  }

  private isBeforeCommand(word: string): boolean {
    return this.words.length === 0 && (ASSIGNMENT.test(word) || KEYWORDS.has(word));
  }

  private endCommand(): void {
    this.endWord();
    const [first] = this.words;
    if (first !== undefined && !NO_COMMANDS.has(first)) {
      this.commands.push({ words: this.words, isDynamic: this.isDynamic });
    }
    this.words = [];
    this.isDynamic = false;
    this.isTarget = false;
  }
}
