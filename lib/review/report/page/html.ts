/** A piece of HTML. Inserted strings are escaped; inserted pieces are not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

/** Anything that a piece of HTML can contain. Undefined and `false` render nothing. */
export type Content = Html | string | number | undefined | false | readonly Content[];

/** A template tag for HTML, which escapes inserted strings. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.map((text, index) => text + textOf(contents[index])).join(''));
}

/** Marks a string as HTML, which is inserted without escaping. */
export function raw(text: string): Html {
  return new Html(text);
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return escaped(String(content));
}

/**
 * Characters with a meaning in HTML, and characters that change the direction of text, control a terminal, or start a
 * command of a CI system (at the start of a line, or `##[…]`): a log may contain a page.
 */
const SPECIAL = /[&<>"'`\n]|#(?=#[a-z]*\[)|[^\P{Cc}\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/giu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\n': '&#10;',
  '#': '&#35;',
};

function escaped(text: string): string {
  return text.replace(
    SPECIAL,
    (character) => ENTITIES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
