import { canonicalJson } from '#base/canonical-json';
import { counted } from '#base/counted';
import { listed } from '#base/findings/listed';
import { codeSpan, escapeMarkdown, plainName } from '#base/findings/printable-text';
import { sentence } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { shortenedWithLength } from '#base/shortened';
import type { Value } from '#base/values';
import { CHART_OF_PART } from '#linkerd/releases/charts';
import type { DefinitionChange } from '#linkerd/releases/definition-changes';
import { lineOf } from '#linkerd/releases/lines';
import { controlPlaneMove, type ReleaseMove } from '#linkerd/releases/release-moves';
import type { ChartMove } from '../compare/chart-moves';
import type { FieldChange } from '../compare/field-changes';
import { isLines } from '../compare/value-changes';
import type { ClusterPlan } from './cluster-plan';
import type { ClusterGroup, UpgradePlan } from './plan';
import type { PlanFinding } from './plan-findings';
import type { Step } from './steps';

const UNWRITTEN =
  'If synth refused a change, the later output does not contain it. To plan the refused change, run the program with `--draft /tmp/draft`, and this command with `--from dist --to /tmp/draft`.';

/** Maximum lengths of lists; `--json` contains all entries. */
const MAX_CLUSTERS = 8;
const MAX_OBJECTS = 12;
const MAX_FIELDS = 40;

/**
 * Renders a plan in Markdown, without keys and passwords.
 *
 * @param rings when each ring gets the change, in Markdown; empty without rings
 */
export function planText({ groups, refused }: UpgradePlan, rings = ''): string {
  const different = groups.filter(({ plan }) => plan.cluster !== 'unchanged');
  const same = groups.filter(({ plan }) => plan.cluster === 'unchanged').flatMap(({ clusters }) => clusters);
  const sections = [
    '# Upgrade plan',
    ...(rings === '' ? [] : [rings]),
    ...different.map(groupText),
    ...(same.length === 0 ? [] : [`## ${named(same, MAX_CLUSTERS)}\n\nNothing changes.`]),
    ...(groups.length === 0 ? ['Neither output contains a cluster.'] : []),
    ...(different.length === 0 && same.length > 0 ? [UNWRITTEN] : []),
    ...(refused ? ['**Refused**: fix the errors above first.'] : []),
  ];
  return redact(`${sections.join('\n\n')}\n`);
}

function groupText({ clusters, plan }: ClusterGroup): string {
  const count = clusters.length > 1 ? `${clusters.length} clusters: ` : '';
  const title = `## ${count}${named(clusters, MAX_CLUSTERS)}`;
  if (plan.cluster === 'removed')
    return `${title}\n\nRemoved. Argo CD keeps all its objects, except if applicationsSync of argocd deletes Applications: see "Removing" in docs/operations.md.`;
  if (plan.cluster === 'added')
    return [
      title,
      ['New cluster.', ...plan.moves.map(moveLine)].join('\n'),
      ...section('Findings', findingLines(plan.findings)),
    ].join('\n\n');
  return [title, ...sectionsOf(plan)].join('\n\n');
}

function sectionsOf(plan: ClusterPlan): readonly string[] {
  return [
    ...section('Releases', plan.moves.map(moveLine)),
    ...section('Findings', findingLines(plan.findings)),
    ...section(
      'Fixed faults',
      plan.mended.map(
        ({ what, why, fixed }) => `- ${sentenceText(what)} ${sentenceText(why)} Fixed in ${plainName(fixed)}.`,
      ),
    ),
    ...section('Values', [
      ...plan.lostValues.map(({ chart, path, since, renamedTo, isReplaced, note, value }) => {
        const next =
          renamedTo === undefined
            ? 'it has no replacement'
            : `use ${codeSpan(renamedTo)} instead${isReplaced ? ', which is set' : ''}`;
        return `- ${codeSpan(path)} of ${CHART_OF_PART[chart]} (${codeSpan(JSON.stringify(value))}) is removed in ${since}; ${next}. ${note}`;
      }),
      ...plan.changedDefaults.map(({ chart, path, since, before, after, note }) => {
        return `- The default of ${codeSpan(path)} of ${CHART_OF_PART[chart]} changes from ${JSON.stringify(before)} to ${JSON.stringify(after)} in ${since}. ${note}`;
      }),
    ]),
    ...section('CRDs', plan.definitions.map(definitionLine)),
    ...section('Charts that Helm renders', plan.charts.flatMap(chartLines)),
    ...section('Objects', objectLines(plan)),
    ...section('Restarts', restartLines(plan)),
    ...section('Steps', plan.steps.map(stepText)),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`### ${title}\n\n${lines.join('\n')}`];
}

function moveLine({ part, from, to }: ReleaseMove): string {
  return `- ${CHART_OF_PART[part]}: ${from === undefined ? 'new' : withLine(from)} -> ${to === undefined ? 'removed' : withLine(to)}`;
}

function withLine(release: string): string {
  const line = lineOf(release);
  return plainName(line === undefined ? release : `${release} (${line})`);
}

/** Shows only some of many findings with one code, such as unreadable files. */
function findingLines(findings: readonly PlanFinding[]): readonly string[] {
  const codes = [...new Set(findings.map(({ problem }) => problem.code))];
  return codes.flatMap((code) => {
    const lines = findings.filter(({ problem }) => problem.code === code).map(findingLine);
    const more = lines.length - MAX_OBJECTS;
    return more > 0 ? [...lines.slice(0, MAX_OBJECTS), `- and ${more} more [${code}]`] : lines;
  });
}

function findingLine({ severity, problem: { code, what, why, fix } }: PlanFinding): string {
  return `- **${severity}**: ${sentenceText(what)} ${sentenceText(why)} [${code}]\n  Fix: ${sentenceText(fix)}`;
}

function sentenceText(text: string): string {
  return escapeMarkdown(sentence(text));
}

function definitionLine({ name: crd, before, after, unserved, stored, doubtful, added }: DefinitionChange): string {
  const name = plainName(crd);
  if (before === undefined) return `- ${name}: new`;
  if (after === undefined) return `- ${name}: no longer in the output; it stays in the cluster`;
  const gone = [...stored, ...doubtful].sort();
  return `- ${name}: ${[
    ...(gone.length === 0 ? [] : [`${gone.map(plainName).join(', ')} removed`]),
    ...(unserved.length === 0 ? [] : [`no longer served: ${unserved.map(plainName).join(', ')}`]),
    ...(added.length === 0 ? [] : [`new: ${added.map(plainName).join(', ')}`]),
  ].join('; ')}`;
}

function chartLines({ chart, namespace, values, ...versions }: ChartMove): readonly string[] {
  const [from, to] = [versions.from, versions.to].map((version) => version && plainName(version));
  const move =
    from === undefined || to === undefined
      ? from === undefined
        ? `${to}, now rendered by Helm`
        : `${from}, no longer rendered by Helm`
      : from === to
        ? from
        : `${from} -> ${to}`;
  return [
    `- ${plainName(chart)} in ${plainName(namespace)}: ${move}`,
    ...limited(
      values.map((value) => `  - value ${fieldText(value)}`),
      MAX_FIELDS,
      '  ',
    ),
  ];
}

function objectLines({ added, removed, changed, noise, unrendered }: ClusterPlan): readonly string[] {
  return [
    ...(added.length === 0 ? [] : [`- new: ${named(added, MAX_OBJECTS)}`]),
    ...(removed.length === 0 ? [] : [`- removed: ${named(removed, MAX_OBJECTS)}`]),
    ...changed.flatMap(({ objects, fields }) => [
      `- ${named(objects, MAX_OBJECTS)}`,
      ...limited(
        fields.map((field) => `  - ${fieldText(field)}`),
        MAX_FIELDS,
        '  ',
      ),
    ]),
    ...(noise.fields === 0
      ? []
      : [
          `- version labels, image tags and the like: ${counted(noise.fields, 'field')} of ${counted(noise.objects, 'object')}`,
        ]),
    ...(unrendered.length === 0
      ? []
      : [
          `- ${unrendered.map(plainName).join(', ')}: Helm renders them in one of the outputs, so their objects cannot be compared`,
        ]),
  ];
}

function restartLines({ moves, restarts, unrendered, changed }: ClusterPlan): readonly string[] {
  const move = controlPlaneMove(moves);
  return [
    ...(restarts.length === 0 ? [] : [`- automatically, with the sync: ${named(restarts, 60)}`]),
    ...(unrendered.length === 0
      ? []
      : [`- automatically, if Helm changes their pod template: workloads of ${unrendered.map(plainName).join(', ')}`]),
    ...(move === undefined
      ? changed.some(({ fields }) => fields.some(isOfProxies))
        ? ['- by you: meshed workloads get the new proxy values when they restart']
        : []
      : [
          `- by you, in waves: every meshed workload, to replace proxies of ${plainName(move.from)} with proxies of ${plainName(move.to)}`,
        ]),
  ];
}

function isOfProxies({ path }: FieldChange): boolean {
  return /^data\.values\.proxy(?:Init)?\b/.test(path);
}

function stepText({ title, what, commands }: Step, index: number): string {
  const shell =
    commands.length === 0 ? '' : `\n\n   \`\`\`sh\n${commands.map((line) => `   ${line}`).join('\n')}\n   \`\`\``;
  return `${index + 1}. **${escapeMarkdown(title)}**\n   ${escapeMarkdown(what.join(' '))}${shell}\n`;
}

function limited(lines: readonly string[], most: number, indent: string): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `${indent}- and ${lines.length - most} more`];
}

function named(names: readonly string[], most: number): string {
  return listed(names.map(plainName), most);
}

const MAX_CHARACTERS = 100;

const MAX_ITEMS = 8;

/** Renders a change of a field as a line of Markdown. For lists, it shows removed and added items. */
export function fieldText({ path, before, after, movedFrom }: FieldChange): string {
  const field = codeSpan(path);
  if (movedFrom !== undefined) return `${field}: moved, was ${codeSpan(movedFrom)}`;
  if (before === undefined) return `${field}: new, ${shown(after)}`;
  if (after === undefined) return `${field}: gone, was ${shown(before)}`;
  if (Array.isArray(before) && Array.isArray(after)) return `${field}: ${itemsText(before, after)}`;
  if (isLines(before) && isLines(after)) return `${field}: ${itemsText(linesOf(before), linesOf(after))}`;
  return `${field}: ${shown(before)} -> ${shown(after)}`;
}

function itemsText(before: readonly Value[], after: readonly Value[]): string {
  const [old, next] = [before.map((item) => canonicalJson(item)), after.map((item) => canonicalJson(item))];
  const gone = old.filter((item) => !next.includes(item));
  const added = next.filter((item) => !old.includes(item));
  if (gone.length + added.length === 0) return 'in another order';
  return [
    ...(gone.length === 0 ? [] : [`gone ${some(gone)}`]),
    ...(added.length === 0 ? [] : [`new ${some(added)}`]),
  ].join('; ');
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim());
}

function shown(value: Value | undefined): string {
  return plainName(shortenedWithLength(canonicalJson(value ?? null), MAX_CHARACTERS));
}

function some(items: readonly string[]): string {
  return named(
    items.map((item) => shortenedWithLength(item, MAX_CHARACTERS)),
    MAX_ITEMS,
  );
}
