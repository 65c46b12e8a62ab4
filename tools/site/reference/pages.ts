import { highlight } from '../highlight';
import { escapeHtml } from '../html';
import { type MarkdownContext, renderComment } from '../markdown';
import { FAMILIES, NO_FAMILY } from '../navigation';
import type { Section, SitePage } from '../page';
import type { DocComment } from './doc-comment';
import type { Item, Member } from './items';

/** The folder of the reference. */
export const REFERENCE = 'reference';

/** Returns the page of an exported name; a name of a namespace is on the namespace's page. */
export function referencePath(name: string): string {
  const [page = ''] = name.split('.');
  return `${REFERENCE}/${page}.html`;
}

/** The family that names of a folder belong to. */
export function familyOf(room: string): string {
  const above = room.lastIndexOf('/');
  return FAMILIES[room] ?? (above === -1 ? NO_FAMILY : familyOf(room.slice(0, above)));
}

/** The pages of the reference: one for each name, and one that lists them. */
export function referencePages(
  items: readonly Item[],
  contextOf: (path: string) => MarkdownContext,
): readonly SitePage[] {
  const byPage = Map.groupBy(items, ({ name }) => referencePath(name));
  const byName = new Map(items.map((item) => [item.name, item]));
  const pages = [...byPage].map(([path, found]) => pageOf(path, found, { byName, context: contextOf(path) }));
  return [overview(items, contextOf(`${REFERENCE}/index.html`)), ...pages];
}

interface Facts {
  readonly byName: ReadonlyMap<string, Item>;
  readonly context: MarkdownContext;
}

function pageOf(path: string, items: readonly Item[], facts: Facts): SitePage {
  const [first] = items as [Item];
  const [title = ''] = first.name.split('.');
  const isNamespace = first.name.includes('.');
  const body = new Body(facts);
  body.heading(1, title, '', isNamespace ? 'namespace' : kindOf(first));
  body.raw(`<p class="family"><a href="index.html">Reference</a> › ${escapeHtml(familyOf(first.room))}</p>`);
  for (const item of items) {
    const [, nameInSpace = ''] = item.name.split('.');
    if (isNamespace) body.heading(2, nameInSpace, anchorOf(nameInSpace));
    describe(item, body, facts);
  }
  const users = usersOf(title, facts).map((name) => nameLink(name, facts.context));
  if (users.length > 0) body.raw(`<h2 id="used-by">Used by</h2><p>${users.join(', ')}</p>`);
  return { path, title, kind: 'Reference', html: body.html, sections: body.sections };
}

function describe(item: Item, body: Body, facts: Facts): void {
  body.doc(item.doc);
  body.code(item.members.length > 0 && !hasWholeSignature(item) ? headOf(item) : item.signature);
  body.examples(item.doc);
  const props = item.parameters
    .filter((name) => /(?:Props|Options)$/.test(name))
    .flatMap((name) => facts.byName.get(name) ?? [])
    .filter((type) => membersWithBases(type, facts).length > 0);
  for (const [index, type] of props.entries()) {
    const members = membersWithBases(type, facts);
    body.table(index === 0 ? 'Props' : type.name, members, { hasRequired: true, of: type.name });
  }
  const isInterface = item.kind === 'interface' || item.kind === 'type';
  const members = isInterface ? membersWithBases(item, facts) : item.members.map((member) => ({ member }));
  const properties = members.filter(({ member }) => member.kind === 'property');
  body.table(isInterface ? 'Members' : 'Properties', properties, { hasRequired: isInterface });
  body.methods(members.map(({ member }) => member).filter(({ kind }) => kind === 'method'));
}

/** A constant, and a type that is joined of others, say with their signature what their members do not. */
const hasWholeSignature = ({ kind, bases, signature }: Item): boolean =>
  kind === 'constant' || (kind === 'type' && (bases.length > 0 || !/^(?:export )?type [^=]* = \{/.test(signature)));

const kindOf = (item: Item): string =>
  item.kind === 'class' ? (item.bases.includes('Construct') ? 'construct' : 'class') : item.kind;

function usersOf(name: string, { byName }: Facts): readonly string[] {
  const word = new RegExp(`\\b${name}\\b`);
  return [...byName.values()]
    .filter((item) => item.name !== name && !item.name.includes('.') && word.test(item.signature))
    .map((item) => item.name);
}

function headOf({ signature, members }: Item): string {
  const [line = ''] = signature.split('\n');
  const constructors = members.filter(({ kind }) => kind === 'constructor').map(({ type }) => `  ${type}`);
  return constructors.length > 0 ? [line, ...constructors, '}'].join('\n') : line.replace(/ \{$/, '');
}

interface Shown {
  readonly member: Member;
  readonly from?: string;
}

function membersWithBases(item: Item, facts: Facts): readonly Shown[] {
  const own = item.members.map((member): Shown => ({ member }));
  const names = new Set(item.members.map(({ name }) => name));
  const inherited = item.bases
    .flatMap((base) => facts.byName.get(base) ?? [])
    .flatMap((base) => membersWithBases(base, facts).map((shown) => ({ from: base.name, ...shown })))
    .filter(({ member }) => !names.has(member.name) && !item.leftOut.includes(member.name));
  return [...own, ...inherited];
}

const nameLink = (name: string, { linkName }: MarkdownContext): string => {
  const target = linkName(name);
  const code = `<code>${escapeHtml(name)}</code>`;
  return target === undefined ? code : `<a class="name" href="${escapeHtml(target)}">${code}</a>`;
};

const anchorOf = (name: string): string => name.replace(/[^\w-]/g, '-');

class Body {
  html = '';
  readonly sections: Section[] = [];
  private readonly ids = new Set<string>();

  constructor(private readonly facts: Facts) {}

  raw(html: string): void {
    this.html += `${html}\n`;
  }

  heading(level: 1 | 2, title: string, id: string, badge?: string): void {
    const anchor = level === 1 ? '' : this.id(id);
    const mark = badge === undefined ? '' : ` <span class="badge">${escapeHtml(badge)}</span>`;
    const link = level === 1 ? '' : `<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
    const attribute = level === 1 ? '' : ` id="${anchor}"`;
    this.raw(`<h${level}${attribute}>${escapeHtml(title)}${mark}${link}</h${level}>`);
    this.sections.push({ anchor, title, level, text: badge ?? '' });
  }

  doc(doc: DocComment | undefined): void {
    if (doc === undefined) return;
    this.raw(renderComment(doc.text, this.facts.context));
    this.say(doc.text);
    for (const thrown of doc.throws) this.raw(`<p class="throws"><b>Throws</b> ${this.inline(thrown)}</p>`);
    if (doc.default !== undefined) this.raw(`<p class="default"><b>Default</b> ${this.defaultOf(doc.default)}</p>`);
  }

  examples(doc: DocComment | undefined): void {
    for (const example of doc?.examples ?? []) this.raw(renderComment(example, this.facts.context));
  }

  code(code: string): void {
    const { linkName } = this.facts.context;
    this.raw(`<figure class="code"><pre tabindex="0"><code>${highlight(code, 'ts', linkName)}</code></pre></figure>`);
  }

  table(
    title: string,
    members: readonly Shown[],
    about: { readonly hasRequired: boolean; readonly of?: string },
  ): void {
    if (members.length === 0) return;
    this.heading(2, title, anchorOf(title.toLowerCase()));
    if (about.of !== undefined) this.raw(`<p class="family">Members of ${nameLink(about.of, this.facts.context)}</p>`);
    const rows = members.map((shown) => this.row(shown, about.hasRequired));
    this.raw(
      `<div class="table members" tabindex="0" role="region" aria-label="${escapeHtml(title)}"><table>` +
        `<thead><tr><th scope="col">Name</th><th scope="col">Type, meaning, default</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    );
  }

  methods(methods: readonly Member[]): void {
    if (methods.length === 0) return;
    this.heading(2, 'Methods', 'methods');
    for (const method of methods) {
      const id = this.id(anchorOf(method.name));
      this.raw(
        `<h3 id="${id}"><code>${escapeHtml(method.name)}</code><a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h3>`,
      );
      this.sections.push({ anchor: id, title: method.name, level: 3, text: '' });
      this.code(method.type);
      this.doc(method.doc);
      this.examples(method.doc);
    }
  }

  private row({ member, from }: Shown, hasRequired: boolean): string {
    const { context } = this.facts;
    const id = this.id(anchorOf(member.name));
    const mark = hasRequired && !member.isOptional ? ' <span class="badge needed">required</span>' : '';
    const stat = member.isStatic ? ' <span class="badge">static</span>' : '';
    const { text = '', default: value = '', throws = [] } = member.doc ?? {};
    this.sections.push({ anchor: id, title: member.name, level: 3, text: `${text} ${value}`.trim() });
    const cell = [
      `<pre class="type"><code>${highlight(member.type, 'ts', context.linkName)}</code></pre>`,
      text === '' ? '' : renderComment(text, context),
      ...throws.map((each) => `<p class="throws"><b>Throws</b> ${this.inline(each)}</p>`),
      this.examplesOf(member.doc),
      value === '' ? '' : `<p class="default"><b>Default</b> ${this.defaultOf(value)}</p>`,
      from === undefined ? '' : `<p class="from">from ${nameLink(from, context)}</p>`,
    ];
    const name = `<a href="#${id}"><code>${escapeHtml(member.name)}</code></a>${mark}${stat}`;
    return `<tr id="${id}"><th scope="row">${name}</th><td>${cell.join('')}</td></tr>`;
  }

  private examplesOf(doc: DocComment | undefined): string {
    return (doc?.examples ?? []).map((example) => renderComment(example, this.facts.context)).join('');
  }

  /** Defaults are values, words after a dash, or both. */
  private defaultOf(text: string): string {
    const [, value = '', words = ''] =
      /^(?:(?!- )(.*?))?(?:(?:^| )- ([\s\S]*))?$/.exec(text.replace(/\s+/g, ' ')) ?? [];
    const isCode = /^(?:['"[{\d]|true$|false$|null$|undefined$|[\w.]+\()/.test(value);
    const shown = isCode ? `<code>${escapeHtml(value)}</code>` : this.inline(value);
    return [value === '' ? '' : shown, words === '' ? '' : this.inline(words)].filter(Boolean).join(', ');
  }

  private inline(text: string): string {
    return renderComment(text, this.facts.context)
      .trim()
      .replace(/^<p>([\s\S]*)<\/p>$/, '$1');
  }

  private say(text: string): void {
    const last = this.sections.at(-1);
    if (last !== undefined) this.sections[this.sections.length - 1] = { ...last, text: `${last.text} ${text}`.trim() };
  }

  private id(wanted: string): string {
    let id = wanted === '' ? 'top' : wanted;
    for (let count = 1; this.ids.has(id); count += 1) id = `${wanted}-${count}`;
    this.ids.add(id);
    return id;
  }
}

function overview(items: readonly Item[], context: MarkdownContext): SitePage {
  const families = Map.groupBy(
    items.filter(({ name }) => !name.includes('.')),
    ({ room }) => familyOf(room),
  );
  const body = new Body({ byName: new Map(), context });
  body.heading(1, 'Reference', '');
  body.raw(
    '<p>All exports of the package, with each prop and its default as editors show them. They come from <code>cdk8s-linkerd</code> unless the heading names another module.</p>',
  );
  for (const family of new Set([...Object.values(FAMILIES), NO_FAMILY])) {
    const found = families.get(family) ?? [];
    if (found.length === 0) continue;
    body.heading(2, family, anchorOf(family.toLowerCase()));
    const first = found.filter(({ kind }) => kind === 'class' || kind === 'function' || kind === 'constant');
    const types = found.filter((item) => !first.some(({ name }) => name === item.name));
    const rows = [...new Map(first.map((item) => [item.name, item])).values()].map(
      (item) =>
        `<dt>${nameLink(item.name, context)} <span class="badge">${kindOf(item)}</span></dt><dd>${firstSentence(item, context)}</dd>`,
    );
    if (rows.length > 0) body.raw(`<dl class="names">${rows.join('\n')}</dl>`);
    const names = [...new Set(types.map(({ name }) => name))];
    if (names.length > 0)
      body.raw(`<p class="types">Types: ${names.map((name) => nameLink(name, context)).join(', ')}</p>`);
  }
  return {
    path: `${REFERENCE}/index.html`,
    title: 'Reference',
    kind: 'Reference',
    html: body.html,
    sections: body.sections,
  };
}

function firstSentence({ doc }: Item, context: MarkdownContext): string {
  const [paragraph = ''] = (doc?.text ?? '').split(/\n\s*\n/);
  const [, sentence = paragraph] = /^([\s\S]*?[.!?])(?:\s|$)/.exec(paragraph) ?? [];
  return renderComment(sentence, context)
    .trim()
    .replace(/^<p>([\s\S]*)<\/p>$/, '$1');
}
