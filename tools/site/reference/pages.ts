import { block, code, row, type SitePage } from '../markdown-text';
import { FAMILIES, NO_FAMILY } from '../navigation';
import type { DocComment } from './doc-comment';
import type { Item, Member } from './items';

/** The family of the exports of a folder. */
export function familyOf(room: string): string {
  const above = room.lastIndexOf('/');
  return FAMILIES[room] ?? (above === -1 ? NO_FAMILY : familyOf(room.slice(0, above)));
}

/**
 * The page of an exported name. Names of a namespace share the namespace's page. Names that differ only in case share a
 * page, because some file systems ignore case.
 */
function pageName(name: string): string {
  const [page = ''] = name.split('.');
  return page.charAt(0).toUpperCase() + page.slice(1);
}

/** The pages of the reference: one for each name, and an index. */
export function referencePages(items: readonly Item[]): readonly SitePage[] {
  const byName = new Map(items.map((item) => [item.name, item]));
  const byPage = Map.groupBy(items, ({ name }) => pageName(name));
  const pages = [...byPage].map(([name, found]) => ({ path: `reference/${name}.md`, text: pageOf(found, byName) }));
  return [{ path: 'reference/index.md', text: overview(items) }, ...pages];
}

type ByName = ReadonlyMap<string, Item>;

function pageOf(items: readonly Item[], byName: ByName): string {
  const [first] = items as [Item];
  const [title = ''] = first.name.split('.');
  const isNamespace = first.name.includes('.');
  const users = [...byName.values()].filter(
    (item) => !items.includes(item) && !item.name.includes('.') && new RegExp(`\\b${title}\\b`).test(item.signature),
  );
  return [
    `# ${title}`,
    `${isNamespace ? 'Namespace' : kindOf(first)} · [${familyOf(first.room)}](index.md)`,
    ...items.flatMap((item) => [
      ...(item.name === title ? [] : [`## ${item.name.split('.').at(-1)}`]),
      ...describe(item, byName),
    ]),
    ...(users.length > 0 ? ['## Used by', users.map(({ name }) => link(name)).join(', ')] : []),
  ].join('\n\n');
}

function describe(item: Item, byName: ByName): readonly string[] {
  const props = item.parameters
    .filter((name) => /(?:Props|Options)$/.test(name))
    .flatMap((name) => byName.get(name) ?? []);
  const isInterface = item.kind === 'interface' || item.kind === 'type';
  const members = isInterface ? membersWithBases(item, byName) : item.members.map((member) => ({ member }));
  const methods = members.filter(({ member: { kind } }) => kind === 'method');
  return [
    ...docOf(item.doc),
    block('ts', item.members.length > 0 && !hasWholeSignature(item) ? headOf(item) : item.signature),
    ...examplesOf(item.doc),
    ...props.flatMap((type, index) =>
      table(index === 0 ? 'Props' : type.name, membersWithBases(type, byName), `Members of ${link(type.name)}.`),
    ),
    ...table(
      isInterface ? 'Members' : 'Properties',
      members.filter(({ member: { kind } }) => kind === 'property'),
    ),
    ...(methods.length > 0 ? ['## Methods'] : []),
    ...methods.flatMap(({ member }) => [
      `### ${code(member.name)}`,
      block('ts', member.type),
      ...docOf(member.doc),
      ...examplesOf(member.doc),
    ]),
  ];
}

/** Whether to show the whole signature: for constants and combined types, the members alone are not enough. */
const hasWholeSignature = ({ kind, bases, signature }: Item): boolean =>
  kind === 'constant' || (kind === 'type' && (bases.length > 0 || !/^(?:export )?type [^=]* = \{/.test(signature)));

function kindOf({ kind, bases }: Item): string {
  if (kind === 'class') return bases.includes('Construct') ? 'Construct' : 'Class';
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
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

function membersWithBases(item: Item, byName: ByName): readonly Shown[] {
  const own = item.members.map((member): Shown => ({ member }));
  const names = new Set(item.members.map(({ name }) => name));
  const inherited = item.bases
    .flatMap((base) => byName.get(base) ?? [])
    .flatMap((base) => membersWithBases(base, byName).map((shown) => ({ from: base.name, ...shown })))
    .filter(({ member }) => !names.has(member.name) && !item.leftOut.includes(member.name));
  return [...own, ...inherited];
}

const link = (name: string): string => `[${code(name)}](${pageName(name)}.md)`;

function docOf(doc: DocComment | undefined): readonly string[] {
  if (doc === undefined) return [];
  return [
    doc.text,
    ...doc.throws.map((thrown) => `**Throws** ${thrown}`),
    ...(doc.default === undefined ? [] : [`**Default** ${defaultOf(doc.default)}`]),
  ];
}

const examplesOf = (doc: DocComment | undefined): readonly string[] =>
  (doc?.examples ?? []).map((example) => block('ts', example));

function table(title: string, members: readonly Shown[], intro?: string): readonly string[] {
  if (members.length === 0) return [];
  const rows = members.map(({ member, from }) => {
    const { text = '', default: value, throws = [] } = member.doc ?? {};
    return row(
      `${code(member.name)}${member.isStatic ? ' (static)' : ''}`,
      code(member.type),
      value === undefined ? (member.isOptional ? '' : 'required') : defaultOf(value),
      [
        text,
        ...throws.map((thrown) => `**Throws** ${thrown}`),
        ...(from === undefined ? [] : [`From ${link(from)}.`]),
      ].join('\n\n'),
    );
  });
  const lines = ['| Name | Type | Default | Meaning |', '| --- | --- | --- | --- |', ...rows];
  return [`## ${title}`, ...(intro === undefined ? [] : [intro]), lines.join('\n')];
}

/** Formats a default: a value, words after a dash, or both. */
function defaultOf(text: string): string {
  const [, value = '', words = ''] = /^(?:(?!- )(.*?))?(?:(?:^| )- ([\s\S]*))?$/.exec(text.replace(/\s+/g, ' ')) ?? [];
  const isCode = /^(?:['"[{\d]|true$|false$|null$|undefined$|[\w.]+\()/.test(value);
  return [isCode ? code(value) : value, words].filter((part) => part !== '').join(', ');
}

function overview(items: readonly Item[]): string {
  const families = Map.groupBy(
    items.filter(({ name }) => !name.includes('.')),
    ({ room }) => familyOf(room),
  );
  const ordered = [...new Set([...Object.values(FAMILIES), NO_FAMILY])].filter((family) => families.has(family));
  return [
    '# Reference',
    'All exports of the package. Import them from `cdk8s-linkerd`, unless the heading names another module.',
    ...ordered.flatMap((family) => {
      const found = [...new Map((families.get(family) ?? []).map((item) => [item.name, item])).values()];
      const isType = ({ kind }: Item) => kind === 'interface' || kind === 'type';
      const types = found.filter(isType).map(({ name }) => link(name));
      return [
        `## ${family}`,
        found
          .filter((item) => !isType(item))
          .map((item) => `- ${link(item.name)}: ${firstSentence(item)}`)
          .join('\n'),
        types.length === 0 ? '' : `Types: ${types.join(', ')}`,
      ];
    }),
  ].join('\n\n');
}

function firstSentence({ doc, kind }: Item): string {
  const [paragraph = ''] = (doc?.text ?? kind).split(/\n\s*\n/);
  const [, sentence = paragraph] = /^([\s\S]*?[.!?])(?:\s|$)/.exec(paragraph) ?? [];
  return sentence.replace(/\s+/g, ' ');
}
