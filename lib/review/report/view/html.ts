/** A piece of HTML. Texts that are put into it are escaped; pieces are not, again. */
export class Html {
  constructor(readonly text: string) {}
}

/** Something that a piece of HTML can be made of. Nothing and `false` leave no trace. */
export type Content = Html | string | number | undefined | false | readonly Content[];

/** Makes HTML of a template. All that is put in is a text, unless it is HTML or a list. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.map((text, index) => text + textOf(contents[index])).join(''));
}

/** Takes a text that is HTML already. */
export function raw(text: string): Html {
  return new Html(text);
}

function textOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return escaped(String(content));
}

/** Characters with a meaning in HTML, and those that turn the direction of a text or command a terminal. */
const SPECIAL = /[&<>"'`]|[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escaped(text: string): string {
  return text.replace(
    SPECIAL,
    (character) => ENTITIES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
