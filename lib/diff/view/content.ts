import { describeObject } from '../../kubernetes/kubernetes-object';
import { ARGOCD_FOLDER } from '../../synth/output/file-names';
import type { Consequence } from '../consequences/consequence';
import type { Change, DiffGroup, OutputDiff } from '../model';
import { SEVERITIES, type Severity } from '../severity';
import { consequenceText } from './consequence-text';
import type { Detail } from './detail';
import { fieldItems } from './field-text';
import { type Block, code, counted, type Inline, type Item, listed, say } from './page';

/** The page about a difference, with no more than some detail. */
export function pageOf(diff: OutputDiff, detail: Detail): readonly Block[] {
  const { groups } = diff;
  const shown = groups.slice(0, detail.groups);
  const rest = groups.slice(detail.groups);
  return [
    { type: 'heading', level: 1, text: ['What changes in the mesh'] },
    { type: 'paragraph', text: summary(diff) },
    ...(groups.length === 0 ? [] : [{ type: 'paragraph', text: severities(groups) } as const]),
    ...shown.flatMap((group) => groupBlocks(group, detail)),
    ...(rest.length === 0 ? [] : [{ type: 'paragraph', text: restText(rest, shown.length === 0) } as const]),
  ];
}

function summary({ from, to, clusters, groups }: OutputDiff): readonly Inline[] {
  const ofClusters = clusters.filter(({ name }) => name !== ARGOCD_FOLDER);
  const changed = ofClusters.filter(({ state }) => state !== 'unchanged').length;
  const range = say`${code(from)} → ${code(to)}: `;
  if (groups.length === 0) return [...range, 'no difference.'];
  return [...range, `${changed} of ${counted(ofClusters.length, 'cluster')} ${changed === 1 ? 'changes' : 'change'}.`];
}

/** The severities in a count of them: of one consequence, and of several. */
const WORDS: Readonly<Record<Severity, readonly [one: string, several: string]>> = {
  'breaks-traffic': ['breaks traffic', 'break traffic'],
  'opens-access': ['opens access', 'open access'],
  error: ['cannot be applied or compared', 'cannot be applied or compared'],
  warning: ['to review', 'to review'],
  info: ['for information', 'for information'],
};

/** The number of consequences by severity. */
function severities(groups: readonly DiffGroup[]): readonly Inline[] {
  const all = groups.flatMap(({ consequences }) => consequences);
  const counts = SEVERITIES.flatMap((severity) => {
    const count = all.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [`${count} ${WORDS[severity][count === 1 ? 0 : 1]}`];
  });
  return counts.length === 0 ? ['No known consequences.'] : [{ strong: `${counts.join(', ')}.` }];
}

function restText(rest: readonly DiffGroup[], isAll: boolean): readonly Inline[] {
  const changes = rest.reduce((sum, group) => sum + group.changes.length, 0);
  return [
    `${counted(changes, 'change')} in ${isAll ? '' : 'further '}${counted(rest.length, 'group')} of clusters: no room for them here; --format json or html tells all.`,
  ];
}

function groupBlocks(group: DiffGroup, detail: Detail): readonly Block[] {
  const { consequences, changes } = group;
  const objects = changeItems(changes, detail);
  return [
    { type: 'heading', level: 2, text: groupTitle(group, detail) },
    ...(consequences.length === 0 ? [] : [{ type: 'list', items: consequenceItems(consequences, detail) } as const]),
    ...(changes.length === 0
      ? []
      : objects.length === 0
        ? [{ type: 'paragraph', text: [changeCounts(changes)] } as const]
        : [{ type: 'details', summary: [changeCounts(changes)], blocks: [{ type: 'list', items: objects }] } as const]),
  ];
}

function groupTitle({ clusters, rings }: DiffGroup, { names, characters }: Detail): readonly Inline[] {
  const shares = rings.map(({ ring, clusters: part, of }): readonly Inline[] => [
    code(shortName(ring, characters)),
    ...(part === of ? [] : [` (${part} of ${of})`]),
  ]);
  const others = clusters.filter((name) => name !== ARGOCD_FOLDER);
  const withArgoCd = others.length === clusters.length ? [] : ['Argo CD'];
  const count = others.length > 1 ? [`${others.length} clusters: `] : [];
  const listedNames = listed(
    others.map((name) => shortName(name, characters)),
    Math.max(1, names),
  );
  const ofRings = shares.flatMap((share, index): readonly Inline[] => [index === 0 ? '; ring ' : ', ', ...share]);
  return [
    ...withArgoCd,
    ...(withArgoCd.length > 0 && others.length > 0 ? [' and '] : []),
    ...count,
    ...listedNames,
    ...ofRings,
  ];
}

function shortName(name: string, most: number): string {
  return name.length <= most ? name : `${[...name].slice(0, most).join('')}…`;
}

const MARKS: Readonly<Record<Severity, readonly Inline[]>> = {
  'breaks-traffic': [{ strong: 'Breaks traffic' }, ': '],
  'opens-access': [{ strong: 'Opens access' }, ': '],
  error: [{ strong: 'Error' }, ': '],
  warning: [],
  info: [],
};

/** Consequences that say the same are told once, with all of their subjects. */
function consequenceItems(consequences: readonly Consequence[], detail: Detail): readonly Item[] {
  const told = new Map<string, { readonly says: readonly Inline[]; readonly subjects: string[] }>();
  for (const consequence of consequences) {
    const { says, subject } = consequenceText(consequence);
    const text = [...MARKS[consequence.severity], ...shortInlines(says, detail)];
    const key = JSON.stringify(text);
    const known = told.get(key) ?? { says: text, subjects: [] };
    if (subject !== undefined) known.subjects.push(subject);
    told.set(key, known);
  }
  const items = [...told.values()].map(({ says, subjects }) => ({
    text: [
      ...says,
      ...(subjects.length === 0
        ? []
        : [
            ': ',
            ...listed(
              subjects.map((subject) => shortName(subject, detail.characters)),
              Math.max(1, detail.names),
            ),
          ]),
    ],
  }));
  const more = items.length - detail.consequences;
  return more > 0 ? [...items.slice(0, detail.consequences), { text: [`and ${more} more`] }] : items;
}

function shortInlines(text: readonly Inline[], { characters }: Detail): readonly Inline[] {
  return text.map((one) => (typeof one === 'object' && 'code' in one ? code(shortName(one.code, characters)) : one));
}

const KINDS = {
  added: 'new',
  removed: 'gone',
  changed: 'changed',
  reworded: 'with the same content',
  unreadable: 'unreadable',
};

function changeCounts(changes: readonly Change[]): string {
  const counts = (Object.keys(KINDS) as Change['change'][]).flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length;
    return count === 0 ? [] : [`${count} ${KINDS[kind]}`];
  });
  return `${counted(changes.length, 'file')}: ${counts.join(', ')}`;
}

/** Changed objects with their fields; those whose fields differ alike stand together. */
function changeItems(changes: readonly Change[], detail: Detail): readonly Item[] {
  if (detail.objects === 0) return [];
  const changed = new Map<string, { readonly subjects: string[]; readonly change: Change }>();
  for (const change of changes.filter((one) => one.change === 'changed')) {
    const key = JSON.stringify(change.fields);
    const known = changed.get(key) ?? { subjects: [], change };
    known.subjects.push(subjectOf(change));
    changed.set(key, known);
  }
  const items = [
    ...oneLine(
      'New: ',
      changes.filter(({ change }) => change === 'added'),
      detail,
    ),
    ...oneLine(
      'Gone: ',
      changes.filter(({ change }) => change === 'removed'),
      detail,
    ),
    ...[...changed.values()].map(({ subjects, change }) => changedItem(subjects, change, detail)),
    ...oneLine(
      'The same content in another order or form: ',
      changes.filter(({ change }) => change === 'reworded'),
      detail,
    ),
    ...oneLine(
      'Not compared, as it cannot be read: ',
      changes.filter(({ change }) => change === 'unreadable'),
      detail,
    ),
  ];
  const more = items.length - detail.objects;
  return more > 0 ? [...items.slice(0, detail.objects), { text: [`and ${more} more`] }] : items;
}

/** Files or objects in a line; of more than have room there only how many there are in each folder. */
function oneLine(words: string, changes: readonly Change[], { names, characters }: Detail): readonly Item[] {
  if (changes.length === 0) return [];
  const subjects = changes.map((change) => shortName(subjectOf(change), characters));
  if (changes.length <= 2 * names) return [{ text: [words, ...listed(subjects, 2 * names)] }];
  const counts = new Map<string, number>();
  for (const { file } of changes) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  const folders = [...counts].map(([folder, count]) => `${shortName(folder, characters)} ${count}`);
  return [{ text: [`${words}${changes.length} files, by folder: `, ...listed(folders, 2 * names)] }];
}

function folderOf(file: string): string {
  const slash = file.indexOf('/');
  return slash === -1 ? '.' : file.slice(0, slash);
}

function changedItem(subjects: readonly string[], { fields }: Change, detail: Detail): Item {
  const names = listed(
    subjects.map((name) => shortName(name, detail.characters)),
    detail.names,
  );
  if (detail.fields === 0) return { text: [...names, `: ${counted(fields.length, 'field')}`] };
  return { text: names, items: fieldItems(fields, detail) };
}

function subjectOf({ object, file, movedFrom }: Change): string {
  const name = object === undefined ? file : describeObject({ kind: object.kind, metadata: object });
  return movedFrom === undefined ? name : `${name} (was in ${movedFrom})`;
}
