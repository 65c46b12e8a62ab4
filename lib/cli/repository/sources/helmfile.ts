import { isMap, mergeValues, type Values } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import { releaseBeside } from './local-chart';
import { withParameters } from './parameters';
import {
  elsewhere,
  fileOf,
  inside,
  joinSources,
  listAt,
  NOTHING_READ,
  type Place,
  placeText,
  type ReadSources,
  type ReadValues,
  refused,
  valuesAt,
  valuesInText,
} from './source';

/** Whether a document is a helmfile: a list of releases, each with its chart. */
export function isHelmfile({ releases }: Values): boolean {
  return Array.isArray(releases) && releases.some((release) => isMap(release) && release.chart !== undefined);
}

/** Reads the releases of a helmfile. */
export function readHelmfile(document: Values, place: Place): ReadSources {
  const at = { ...inside(place, 'releases'), template: /\{\{/ };
  return joinSources(
    listAt(document, 'releases').map((release, index) =>
      isMap(release) ? readRelease(release, inside(at, index)) : NOTHING_READ,
    ),
  );
}

function readRelease(release: Values, place: Place): ReadSources {
  // `inherit` refers to templates, which also contain values.
  const problems = elsewhere(release, place, ['secrets', 'inherit', 'valuesTemplate', 'strategicMergePatches']);
  const layers = [...layersOf(release, place)];
  const merged = layers.reduce((values, layer) => mergeValues(values, layer.values), {} as Values);
  const set = withParameters(merged, listAt(release, 'set'), inside(place, 'set'));
  const strings = listAt(release, 'setString').map((each) => (isMap(each) ? { ...each, forceString: true } : each));
  const all = withParameters(set.values, strings, inside(place, 'setString'));
  const { chart, version, namespace } = release;
  return releaseBeside({ chart, version, namespace }, place, {
    values: all.values,
    problems: [...problems, ...layers.flatMap((layer) => layer.problems), ...set.problems, ...all.problems],
  });
}

/** An element of `values` is a map, or the name of a file. */
function layersOf(release: Values, place: Place): readonly ReadValues[] {
  const at = inside(place, 'values');
  return listAt(release, 'values').map((values, index) =>
    typeof values === 'string' ? fileLayer(values, inside(at, index)) : valuesAt(values, inside(at, index)),
  );
}

/** Refuses Go templates, which would have to be filled in. */
function fileLayer(path: string, place: Place): ReadValues {
  const isTemplate = path.endsWith('.gotmpl') || place.template?.test(path) === true;
  const content = isTemplate ? undefined : place.repository?.valuesAt(path, fileOf(place));
  return content === undefined
    ? refused(CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(place) }))
    : valuesInText(content, place);
}
