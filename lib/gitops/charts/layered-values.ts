import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import { contradictions, type GivenValues, mergeValues, type Values } from '#base/values';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { plainCopy } from '#kubernetes/objects/plain-data';
import { knownValues } from '#linkerd/charts/known-values';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import { releaseOfChart } from '#linkerd/releases/charts';
import { checkImageReleases } from '../../checks/linkerd/image-release-check';
import { decidingProp } from './deciding-props';
import { CHART_FINDINGS } from './findings';

/** The values of a chart, by their source. */
export interface ValueLayers {
  /** Values that `values` overrides, such as those of a high-availability profile. */
  readonly defaults?: GivenValues;
  /** Values that props set. `values` must not contradict them. */
  readonly fromProps?: GivenValues;
  /** The user's own values. */
  readonly values?: GivenValues;
}

/** Values that the props of a construct set, or a function that derives them from all other values. */
export type AddedValues = GivenValues | ((values: Values) => GivenValues);

function noMap(values: unknown): Problem {
  return KUBERNETES_FINDINGS.wrongTypeValue({ path: 'values', value: shownValue(values), expected: 'a map' });
}

interface DependentValues {
  readonly decide: (values: Values) => GivenValues;
  readonly from: IConstruct;
}

interface Composed {
  readonly values: Values;
  readonly decided: readonly DecidedValues[];
  readonly unwritable: readonly Problem[];
}

/** The layers of a chart's values. Constructs may add to them until synth. */
export class LayeredValues {
  private readonly defaults: Values;
  private readonly own: Values;
  private readonly unwritable: Problem[] = [];
  private readonly decided: DecidedValues[];
  private readonly dependent: DependentValues[] = [];
  private readonly addedBy: IConstruct[] = [];
  private composed: Composed | undefined;

  /** @param from - the construct whose props set `fromProps` */
  constructor({ defaults, fromProps, values }: ValueLayers, from: IConstruct) {
    this.defaults = this.plain(defaults);
    this.own = this.plain(values);
    this.decided = [{ values: this.plain(fromProps), from }];
  }

  /** The values that result from the layers. */
  get values(): Values {
    this.composed ??= this.compose();
    return this.composed.values;
  }

  /** Identifies the current layers: the same object until any construct adds values. */
  get state(): object {
    this.composed ??= this.compose();
    return this.composed;
  }

  /** Adds values that the props of another construct set. Values of the user must not contradict them. */
  addValues(values: AddedValues, from: IConstruct): void {
    this.composed = undefined;
    this.addedBy.push(from);
    if (typeof values === 'function') this.dependent.push({ decide: values, from });
    else this.decided.push({ values: this.plain(values), from });
  }

  /** The constructs that have added values, in order. */
  get adders(): readonly IConstruct[] {
    return [...this.addedBy];
  }

  /** Reports values that cannot be written, and layers that contradict each other. */
  checkConflicts(): readonly Problem[] {
    this.composed ??= this.compose();
    return [...this.unwritable, ...this.composed.unwritable, ...checkDecidedValues(this.composed.decided, this.own)];
  }

  /** Reports images in the values of the user that belong to another release, if the chart is one of Linkerd's. */
  checkReleases(chart: PinnedChart): readonly Problem[] {
    const release = releaseOfChart(chart);
    return release === undefined ? [] : checkImageReleases(this.own, release);
  }

  private compose(): Composed {
    const values = knownValues(layerValues(this.defaults, this.own, this.decided));
    if (this.dependent.length === 0) return { values, decided: this.decided, unwritable: [] };
    // All functions get the same values, so the order of constructs does not matter.
    const added = this.dependent.map(({ decide, from }) => ({
      from,
      ...plainCopy(decide(values) as Values, 'values'),
    }));
    const decided = [...this.decided, ...added.map(({ data, from }) => ({ values: data, from }))];
    const unwritable = added.flatMap(({ problems }) => problems);
    return { values: knownValues(layerValues(this.defaults, this.own, decided)), decided, unwritable };
  }

  private plain(values: GivenValues | undefined): Values {
    // Untyped code may pass `null` for none.
    const { data, problems } = plainCopy<unknown>(values ?? {}, 'values');
    this.unwritable.push(...problems);
    if (isObject(data)) return data as Values;
    this.unwritable.push(noMap(data));
    return {};
  }
}

interface DecidedValues {
  readonly values: Values;
  readonly from: IConstruct;
}

/** Returns the values of a chart. Values of the user override defaults, and values of props override both. */
export function layerValues(defaults: Values, own: Values, decided: readonly DecidedValues[]): Values {
  return [{ values: own }, ...decided].reduce<Values>(
    (layered, { values }) => mergeValues(layered, values),
    mergeValues({}, defaults),
  );
}

/** Reports values of the user that contradict those of props, and contradictions between props. */
export function checkDecidedValues(decided: readonly DecidedValues[], own: Values): readonly Problem[] {
  return decided.flatMap((decision, index) => [
    ...checkOwn(decision, own),
    ...decided.slice(0, index).flatMap((earlier) => checkMutual(earlier, decision)),
  ]);
}

function checkOwn({ values, from }: DecidedValues, own: Values): readonly Problem[] {
  return contradictions(values, own).map(({ path, fromProps, fromValues }) => {
    const [value, decided] = [JSON.stringify(fromValues), JSON.stringify(fromProps)];
    const parameters = { path, value, construct: from.node.path, decided };
    const prop = decidingProp(path);
    return prop === undefined
      ? CHART_FINDINGS.valueContradictsPropOwn(parameters)
      : CHART_FINDINGS.valueContradictsProp({ ...parameters, prop });
  });
}

function checkMutual(one: DecidedValues, other: DecidedValues): readonly Problem[] {
  return contradictions(one.values, other.values).map(({ path, fromProps, fromValues }) =>
    CHART_FINDINGS.valueSetTwice({
      path,
      one: one.from.node.path,
      value: JSON.stringify(fromProps),
      other: other.from.node.path,
      decided: JSON.stringify(fromValues),
    }),
  );
}
