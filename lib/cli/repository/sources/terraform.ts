import { isMap, mergeValues, type Value, type Values } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import { type Block, type Expression, parseHcl, parseTerraformJson } from './hcl';
import { mergedLayers, releaseBeside } from './local-chart';
import { withParameters } from './parameters';
import {
  fileOf,
  inside,
  joinSources,
  NOTHING_READ,
  type Place,
  placeText,
  type ReadSources,
  type ReadValues,
  type Repository,
  refused,
  valuesAt,
  valuesInText,
} from './source';

const RESOURCE = /^[ \t]*resource[ \t]+"helm_release"/m;

/** Whether a file is a program of Terraform or OpenTofu: by its name, or by a release in it. */
export function isTerraform(file: string, content: string): boolean {
  return /\.(?:tf|tofu)(?:\.json)?$/.test(file) || RESOURCE.test(content) || isJson(file, content);
}

/** Text on standard input is recognized by a release in it. */
function isJson(file: string, content: string): boolean {
  return /\.(?:tf|tofu)\.json$/.test(file) || /^\s*\{[\s\S]*"resource"\s*:[\s\S]*"helm_release"\s*:/.test(content);
}

/**
 * Reads the resources `helm_release`: `values` of texts, here documents and `yamlencode`, and `set` as blocks and as a
 * list. Other references are refused.
 */
export function readTerraform(file: string, content: string, repository?: Repository): ReadSources {
  let blocks: readonly Block[];
  try {
    blocks = isJson(file, content) ? parseTerraformJson(content) : parseHcl(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ...NOTHING_READ, problems: [CLI_FINDINGS.fileUnreadableValues({ file, reason: error.message })] };
  }
  const releases = blocks.filter(({ type, labels }) => type === 'resource' && labels[0] === 'helm_release');
  return joinSources(
    releases.map((block) =>
      readRelease(block, {
        file: repository === undefined ? file : `${file}:${lineOf(block, content)}`,
        path: `helm_release.${block.labels[1] ?? ''}`,
        ...(repository && { repository }),
      }),
    ),
  );
}

function lineOf({ labels }: Block, content: string): number {
  const lines = content.split('\n');
  return lines.findIndex((line) => line.includes('"helm_release"') && line.includes(`"${labels[1]}"`)) + 1;
}

function readRelease({ attributes, blocks }: Block, place: Place): ReadSources {
  const literal = (name: string): Value | undefined => plain(attributes.get(name));
  const layers = layersOf(attributes.get('values'), inside(place, 'values'));
  const merged = layers.reduce((values, layer) => mergeValues(values, layer.values), {} as Values);
  const set = parametersOf('set', { attributes, blocks }, place);
  const withSet = withParameters(merged, set.parameters, inside(place, 'set'));
  const hidden = ['set_sensitive', 'set_list', 'set_wo', 'postrender'].filter(
    (name) => attributes.has(name) || blocks.some(({ type }) => type === name),
  );
  const elsewhere = hidden.map((name) =>
    CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(inside(place, name)) }),
  );
  const problems = [...layers.flatMap((layer) => layer.problems), ...set.problems, ...withSet.problems, ...elsewhere];
  const chart = attributes.get('chart');
  const path = chart?.type === 'path' && place.repository !== undefined ? `./${chart.path}` : literal('chart');
  const release = { chart: path, version: literal('version'), namespace: literal('namespace') };
  return releaseBeside(release, place, { values: withSet.values, problems });
}

function layersOf(values: Expression | undefined, place: Place): readonly ReadValues[] {
  if (values === undefined) return [];
  if (values.type !== 'list') return [refused(CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(place) }))];
  return values.items.map((item, index) => {
    const at = inside(place, index);
    return layerOf(item, at) ?? refused(CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(at) }));
  });
}

/** Returns undefined for values that would have to be evaluated. */
function layerOf(item: Expression, place: Place): ReadValues | undefined {
  if (item.type === 'literal') return valuesInText(item.value, place);
  if (item.type !== 'call') return undefined;
  const { name, argument } = item;
  if (name === 'file') return fileLayer(argument, place);
  if (!['yamlencode', 'jsonencode'].includes(name)) return undefined;
  const value = plain(argument);
  if (value !== undefined) return valuesAt(value, place);
  return place.repository !== undefined && argument.type === 'map' ? knownPart(argument.entries, place) : undefined;
}

function fileLayer(argument: Expression, place: Place): ReadValues | undefined {
  const path = argument.type === 'path' ? argument.path : plain(argument);
  const content = typeof path !== 'string' ? undefined : place.repository?.valuesAt(path, fileOf(place));
  return content === undefined ? undefined : valuesInText(content, place);
}

/** Returns the members of a map that are data. */
function knownPart(entries: ReadonlyMap<string, Expression>, place: Place): ReadValues {
  const read = [...entries].map(([key, expression]) => {
    const at = inside(place, key);
    const value = plain(expression);
    if (value !== undefined) return { values: { [key]: value }, problems: [] };
    if (expression.type !== 'map') return refused(CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(at) }));
    const { values, problems } = knownPart(expression.entries, at);
    return { values: Object.keys(values).length === 0 ? {} : { [key]: values }, problems };
  });
  return mergedLayers(read);
}

function parametersOf(name: string, { attributes, blocks }: Pick<Block, 'attributes' | 'blocks'>, place: Place) {
  const at = inside(place, name);
  const given = attributes.get(name);
  // In JSON, a single block is an object.
  const listed: Expression | undefined = given?.type === 'map' ? { type: 'list', items: [given] } : given;
  const ofList = listed?.type === 'list' ? listed.items.map(plain) : listed === undefined ? [] : [undefined];
  const ofBlocks = blocks
    .filter(({ type, labels }) => type === name || (type === 'dynamic' && labels[0] === name))
    .map((block) => (block.type === 'dynamic' ? undefined : plain({ type: 'map', entries: block.attributes })));
  const all = [...ofList, ...ofBlocks];
  return {
    parameters: all.filter((parameter) => parameter !== undefined && isMap(parameter)) as readonly Value[],
    problems: all.flatMap((parameter, index) =>
      parameter === undefined ? [CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(inside(at, index)) })] : [],
    ),
  };
}

/** Returns an expression as data; undefined if it would have to be evaluated. */
function plain(expression: Expression | undefined): Value | undefined {
  switch (expression?.type) {
    case 'literal':
      return expression.value;
    case 'list': {
      const items = expression.items.map(plain);
      return items.includes(undefined) ? undefined : (items as Value[]);
    }
    case 'map': {
      const entries = [...expression.entries].map(([key, value]) => [key, plain(value)] as const);
      return entries.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(entries) as Values);
    }
    default:
      return undefined;
  }
}
