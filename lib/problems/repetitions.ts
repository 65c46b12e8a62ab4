import type { LocatedProblem } from './located';

/** What follows the field in the text of a refused name; rules of constructs hand over nothing but text. */
const REFUSED_VALUE = /^.*?( is "([^"]*)"(?:, \d+ characters long)?\. Kubernetes refuses it: .*)$/s;

/**
 * The problems without those that follow from others: a name that was given to one construct stands in many objects,
 * and in Argo CD's objects for all clusters. The first place in each cluster is kept, which is the construct that was
 * given the name, as rules of constructs come before checks of objects.
 */
export function withoutRepetitions(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  const known = new Set<string>();
  return problems.filter(({ path, message }) => {
    const inChart = chartValue(path, message);
    if (inChart !== undefined && known.has(inChart)) return false;
    if (inChart !== undefined) known.add(inChart);
    const [, refusal, value = ''] = REFUSED_VALUE.exec(message) ?? [];
    if (refusal === undefined) return true;
    const [cluster] = path.split('/', 1);
    const isKnown =
      known.has(`${cluster}${refusal}`) ||
      (cluster === 'argocd' && known.has(refusal)) ||
      domainsOf(value).some((domain) => known.has(`${cluster} ${domain}`));
    known.add(`${cluster}${refusal}`).add(refusal).add(`${cluster} ${value}`);
    return !isKnown;
  });
}

/** The domains that a name is in: a refused one makes each name in it refused. */
function domainsOf(name: string): readonly string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** Where the objects of a chart are, below the construct that has it. */
const CHART = /^(.*\/chart)\//;

/** An object's name, and where in it its pods are described. */
const PLACE = /^\S+ \S+: (?:spec\.jobTemplate\.)?(?:spec\.)?/;

/**
 * Tells problems of one value of a chart, which stands in several of its objects, from others; undefined where the
 * problem is no chart's.
 */
function chartValue(path: string, message: string): string | undefined {
  const [, chart] = CHART.exec(path) ?? [];
  if (chart === undefined || !PLACE.test(message)) return undefined;
  return `${chart} ${message
    .replace(PLACE, '')
    .replace(/\[\d+\]/g, '[]')
    .replace(/\binitContainers\b/g, 'containers')}`;
}
