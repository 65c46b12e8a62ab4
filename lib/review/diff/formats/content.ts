import { counted } from '#base/counted';
import { grouped as groupedByKey } from '#base/grouped';
import { shortened } from '#base/shortened';
import { describeObject } from '#kubernetes/objects/kubernetes-object';
import { ARGOCD_FOLDER } from '#lib/gitops/synth/output/file-names';
import { consequenceTexts } from '../consequences/catalogue';
import type { Change, DiffGroup, GroupChange, OutputDiff, RingSummary } from '../model';
import { SEVERITIES, type Severity } from '../severity';
import type { Detail } from './detail';
import { fieldItems } from './field-text';
import { type Block, code, type Inline, type Item, listed, say } from './page';

/** Returns the page of a diff, with limited detail. */
export function pageOf(diff: OutputDiff, detail: Detail): readonly Block[] {
  const { groups, rings } = diff;
  const shown = groups.slice(0, detail.groups);
  const rest = groups.slice(detail.groups);
  return [
    { type: 'heading', level: 1, text: ['What changes in the mesh'] },
    { type: 'paragraph', text: summary(diff) },
    ...severities(groups),
    ...ringTable(rings),
    ...(shown.length > 1 ? [contents(shown)] : []),
    ...shown.flatMap((group, index) => groupBlocks(group, index, detail)),
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

const WORDS: Readonly<Record<Severity, readonly [one: string, several: string]>> = {
  'breaks-traffic': ['breaks traffic', 'break traffic'],
  'opens-access': ['opens access', 'open access'],
  error: ['cannot be applied or compared', 'cannot be applied or compared'],
  warning: ['to review', 'to review'],
  info: ['for information', 'for information'],
};

/** A consequence with variants in some clusters counts once. */
function severities(groups: readonly DiffGroup[]): readonly Block[] {
  const all = groups.flatMap((group) => grouped(group));
  const counts = SEVERITIES.flatMap((severity) => {
    const count = all.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [`${count} ${WORDS[severity][count === 1 ? 0 : 1]}`];
  });
  return counts.length === 0 ? [] : [{ type: 'paragraph', text: [{ strong: `${counts.join(', ')}.` }] }];
}

/** Returns the rings in the platform's order, and when each gets a change. */
export function ringTable(rings: OutputDiff['rings']): readonly Block[] {
  if (rings.every(({ changed }) => changed === 0)) return [];
  const rows = rings.map((ring): readonly (readonly Inline[])[] => [
    [code(ring.ring)],
    [ring.changed === 0 ? `none of ${ring.clusters}` : `${ring.changed} of ${ring.clusters}`],
    ring.changed === 0 ? ['—'] : reachText(ring),
  ]);
  const isHeld = rings.some(({ reach, changed }) => changed > 0 && reach !== 'merge');
  return [
    { type: 'table', head: ['ring', 'clusters that change', 'when'], rows },
    ...(isHeld
      ? [{ type: 'paragraph', text: ['Each ring gets the changes below at the time in the table.'] } as const]
      : []),
  ];
}

function reachText({ reach, ring, revision = '', path = '', rolling }: RingSummary): readonly Inline[] {
  const after = rolling ? [', when the earlier rings are healthy'] : [];
  switch (reach) {
    case 'merge':
      return ['at merge', ...after];
    case 'revision':
      return ['when its revision ', code(revision), ' moves', ...after];
    case 'promotion':
      return [
        'when it is promoted to ',
        code(path),
        ': ',
        code(`--promote ${ring}`),
        ...(revision === '' ? [] : [', and its revision ', code(revision), ' moves']),
        ...after,
      ];
    case 'unknown':
      return ['unknown: not in the output'];
  }
}

function contents(groups: readonly DiffGroup[]): Block {
  return {
    type: 'contents',
    items: groups.map((group, index) => {
      const [first] = group.consequences;
      const { names, rings } = clustersText(group, 1);
      const mark = first === undefined ? [] : MARKS[first.severity];
      const subject = first === undefined ? [] : (consequenceTexts(first)[0]?.says ?? []);
      const text = [
        ...mark,
        ...(subject.length === 0 ? [changeCounts(group.changes)] : subject),
        ' — ',
        ...names,
        ...rings,
      ];
      return { anchor: anchorOf(index), text };
    }),
  };
}

function anchorOf(index: number): string {
  return `change-${index + 1}`;
}

function restText(rest: readonly DiffGroup[], isAll: boolean): readonly Inline[] {
  const changes = rest.reduce((sum, group) => sum + group.changes.length, 0);
  return [
    `${counted(changes, 'changed file')} in ${isAll ? '' : 'further '}${counted(rest.length, 'group')}: omitted here; use --format json or html to see all.`,
  ];
}

function groupBlocks(group: DiffGroup, index: number, detail: Detail): readonly Block[] {
  const { consequences, changes } = group;
  const objects = changeItems(group, detail);
  return [
    { type: 'heading', level: 2, text: groupTitle(group, detail), anchor: anchorOf(index) },
    consequences.length === 0
      ? { type: 'paragraph', text: ['No known consequences.'] }
      : { type: 'list', items: consequenceItems(group, detail) },
    ...(changes.length === 0
      ? []
      : objects.length === 0
        ? [{ type: 'paragraph', text: [changeCounts(changes)] } as const]
        : [{ type: 'details', summary: [changeCounts(changes)], blocks: [{ type: 'list', items: objects }] } as const]),
  ];
}

function groupTitle(group: DiffGroup, { names: most, characters }: Detail): readonly Inline[] {
  const short = { ...group, clusters: group.clusters.map((name) => shortened(name, characters)) };
  const { names, rings } = clustersText(short, Math.max(1, most));
  return [...names, ...shortInlines(rings, characters)];
}

/** More clusters than this are shown by their rings only, if they form whole rings. */
const MAX_NAMED = 6;

function clustersText(
  { clusters, rings }: Pick<DiffGroup, 'clusters' | 'rings'>,
  most: number,
): { readonly names: readonly Inline[]; readonly rings: readonly Inline[] } {
  const others = clusters.filter((name) => name !== ARGOCD_FOLDER);
  const isWithArgoCd = others.length < clusters.length;
  const argoCd = isWithArgoCd ? ['Argo CD', ...(others.length > 0 ? [' and '] : [])] : [];
  if (others.length <= 1) return { names: [...argoCd, ...listed(others, 1)], rings: ringsText('; ', rings, false) };
  const isWhole = rings.every(({ clusters: part, of }) => part === of);
  const count = counted(others.length, 'cluster');
  if (rings.length > 0 && isWhole && others.length > MAX_NAMED) {
    return { names: [...argoCd, count], rings: ringsText(': ', rings, true) };
  }
  return {
    names: [...argoCd, `${count}: `, ...listed(others, most)],
    rings: ringsText('; ', rings, rings.length > 1 || !isWhole),
  };
}

function ringsText(start: string, rings: DiffGroup['rings'], isCounted: boolean): readonly Inline[] {
  const isOne = rings.length === 1;
  return rings.flatMap(({ ring, clusters: part, of }, index): readonly Inline[] => {
    const share = isOne && part === of ? '' : part === of ? ` (${of})` : ` (${part} of ${of})`;
    return [index > 0 ? ', ' : `${start}${isOne ? 'ring' : 'rings'} `, code(ring), ...(isCounted ? [share] : [])];
  });
}

function partText(
  clusters: readonly string[] | undefined,
  { clusters: all }: Pick<DiffGroup, 'clusters'>,
  most: number,
): readonly Inline[] {
  if (clusters === undefined) return [];
  const few = Math.min(most, 3);
  if (clusters.length <= few) return [' (', ...listed(clusters, few), ')'];
  return [` (${clusters.length} of ${all.length} clusters)`];
}

const MARKS: Readonly<Record<Severity, readonly Inline[]>> = {
  'breaks-traffic': [{ severity: 'breaks-traffic', words: 'Breaks traffic' }, ': '],
  'opens-access': [{ severity: 'opens-access', words: 'Opens access' }, ': '],
  error: [{ severity: 'error', words: 'Error' }, ': '],
  warning: [],
  info: [],
};

interface GroupedStatements {
  readonly severity: Severity;
  readonly says: readonly Inline[];
  readonly subjects: string[];
  readonly clusters: readonly string[] | undefined;
}

interface Statement extends Pick<GroupedStatements, 'severity' | 'says'> {
  readonly subject: string | undefined;
  readonly having: Set<string>;
}

function statements({ consequences, clusters: all }: DiffGroup, detail: Detail | undefined): readonly Statement[] {
  const found = new Map<string, Statement>();
  for (const consequence of consequences) {
    const { severity, clusters = all } = consequence;
    for (const { says: whole, subject } of consequenceTexts(consequence)) {
      const says = detail === undefined ? whole : shortInlines(whole, detail.characters);
      const key = JSON.stringify([severity, says, subject]);
      const { having } = found.get(key) ?? { having: new Set<string>() };
      for (const name of clusters) having.add(name);
      found.set(key, { severity, says, subject, having });
    }
  }
  return [...found.values()];
}

function grouped(group: DiffGroup, detail?: Detail): readonly GroupedStatements[] {
  const found = new Map<string, GroupedStatements>();
  for (const { severity, says, subject, having } of statements(group, detail)) {
    const clusters = having.size === group.clusters.length ? undefined : [...having].sort();
    const key = JSON.stringify([severity, says, clusters]);
    const known = found.get(key) ?? { severity, says, subjects: [], clusters };
    if (subject !== undefined) known.subjects.push(subject);
    found.set(key, known);
  }
  return [...found.values()];
}

function consequenceItems(group: DiffGroup, detail: Detail): readonly Item[] {
  const most = Math.max(1, detail.names);
  const items = grouped(group, detail).map(({ severity, says, subjects, clusters }) => {
    const names = subjects.map((subject) => shortened(subject, detail.characters));
    const of = subjects.length === 0 ? [] : [': ', ...listed(names, most)];
    return { text: [...MARKS[severity], ...says, ...of, ...partText(clusters, group, detail.names)] };
  });
  const more = items.length - detail.consequences;
  return more > 0 ? [...items.slice(0, detail.consequences), { text: [`and ${more} more`] }] : items;
}

function shortInlines(text: readonly Inline[], characters: number): readonly Inline[] {
  return text.map((one) => (typeof one === 'object' && 'code' in one ? code(shortened(one.code, characters)) : one));
}

const KINDS = {
  added: 'new',
  removed: 'removed',
  changed: 'changed',
  reworded: 'with the same content',
  unreadable: 'unreadable',
};

function changeCounts(changes: readonly GroupChange[]): string {
  const counts = (Object.keys(KINDS) as Change['change'][]).flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length;
    return count === 0 ? [] : [`${count} ${KINDS[kind]}`];
  });
  return `${counted(changes.length, 'file')}: ${counts.join(', ')}`;
}

function changeItems(group: DiffGroup, detail: Detail): readonly Item[] {
  if (detail.objects === 0) return [];
  const { changes } = group;
  const ofKind = (kind: Change['change']) => changes.filter(({ change }) => change === kind);
  const changed = groupedByKey(ofKind('changed').map((one) => [JSON.stringify([one.fields, one.clusters]), one]));
  const lines = (words: string, kind: Change['change']) => oneLines(words, ofKind(kind), group, detail);
  const items = [
    ...lines('New: ', 'added'),
    ...lines('Removed: ', 'removed'),
    ...[...changed.values()].map((same) => changedItem(same, group, detail)),
    ...lines('Same content, other formatting: ', 'reworded'),
    ...lines('Not compared, because it is unreadable: ', 'unreadable'),
  ];
  const more = items.length - detail.objects;
  return more > 0 ? [...items.slice(0, detail.objects), { text: [`and ${more} more`] }] : items;
}

function oneLines(words: string, changes: readonly GroupChange[], group: DiffGroup, detail: Detail): readonly Item[] {
  const parts = groupedByKey(changes.map((change) => [JSON.stringify(change.clusters ?? []), change]));
  return [...parts.values()].map((part) => ({
    text: [...oneLine(words, part, detail), ...partText(part[0].clusters, group, detail.names)],
  }));
}

function oneLine(words: string, changes: readonly GroupChange[], { names, characters }: Detail): readonly Inline[] {
  const subjects = changes.map((change) => shortened(subjectOf(change), characters));
  if (changes.length <= 2 * names) return [words, ...listed(subjects, 2 * names)];
  const counts = new Map<string, number>();
  for (const { file } of changes) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  const folders = [...counts].map(([folder, count]) => `${shortened(folder, characters)} ${count}`);
  return [`${words}${changes.length} files, by folder: `, ...listed(folders, 2 * names)];
}

function folderOf(file: string): string {
  const slash = file.indexOf('/');
  return slash === -1 ? '.' : file.slice(0, slash);
}

function changedItem(same: readonly [GroupChange, ...GroupChange[]], group: DiffGroup, detail: Detail): Item {
  const [{ fields, clusters }] = same;
  const subjects = same.map((change) => shortened(subjectOf(change), detail.characters));
  const names = [...listed(subjects, detail.names), ...partText(clusters, group, detail.names)];
  if (detail.fields === 0) return { text: [...names, `: ${counted(fields.length, 'field')}`] };
  const all = clusters ?? group.clusters;
  const part = (of: readonly string[] | undefined) => partText(of, { clusters: all }, detail.names);
  return { text: names, items: fieldItems(fields, detail, part) };
}

function subjectOf({ object, file, movedFrom }: GroupChange): string {
  const name = object === undefined ? file : describeObject({ kind: object.kind, metadata: object });
  return movedFrom === undefined ? name : `${name} (was in ${movedFrom})`;
}
