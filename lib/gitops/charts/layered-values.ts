import type { IConstruct } from 'constructs';
import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import { KUBERNETES_FINDINGS } from '../../kubernetes/findings/findings';
import type { Problem } from '../../kubernetes/findings/problem';
import { plainCopy } from '../../kubernetes/plain-data';
import { isObject } from '../../kubernetes/select-fields';
import { contradictions, type GivenValues, mergeValues, type Values } from '../../kubernetes/values';
import { knownValues } from '../../linkerd/charts/known-values';
import { CHART_FINDINGS } from './findings';

/** The values of a chart, by who says so. */
export interface ValueLayers {
  /** Values that give way to the user's (a high-availability profile, say). */
  readonly defaults?: GivenValues;
  /** Values that follow from props; the user's must not contradict them. */
  readonly fromProps?: GivenValues;
  /** The user's own values. */
  readonly values?: GivenValues;
}

/** Values that follow from the props of a construct, or from these and what all others decide. */
export type AddedValues = GivenValues | ((values: Values) => GivenValues);

function noMap(values: unknown): Problem {
  return KUBERNETES_FINDINGS.wrongType({ path: 'values', value: shownValue(values), expected: 'a map' });
}

/** Values that depend on others. */
interface DependentValues {
  readonly decide: (values: Values) => GivenValues;
  readonly from: IConstruct;
}

/** The result of composing the layers. */
interface Composed {
  readonly values: Values;
  readonly decided: readonly DecidedValues[];
  readonly unwritable: readonly Problem[];
}

/** A chart's values in layers, to which constructs add until synth. */
export class LayeredValues {
  private readonly defaults: Values;
  private readonly own: Values;
  private readonly unwritable: Problem[] = [];
  private readonly decided: DecidedValues[];
  private readonly dependent: DependentValues[] = [];
  private readonly addedBy: IConstruct[] = [];
  private composed: Composed | undefined;

  /** @param from - the construct whose props decide `fromProps` */
  constructor({ defaults, fromProps, values }: ValueLayers, from: IConstruct) {
    this.defaults = this.plain(defaults);
    this.own = this.plain(values);
    this.decided = [{ values: this.plain(fromProps), from }];
  }

  /** The values that the layers come to. */
  get values(): Values {
    this.composed ??= this.compose();
    return this.composed.values;
  }

  /** Stands for all that was said so far: the same object until somebody adds to it, be it what others have said. */
  get state(): object {
    this.composed ??= this.compose();
    return this.composed;
  }

  /** Adds values that follow from the props of another construct; the user's must not contradict these either. */
  add(values: AddedValues, from: IConstruct): void {
    this.composed = undefined;
    this.addedBy.push(from);
    if (typeof values === 'function') this.dependent.push({ decide: values, from });
    else this.decided.push({ values: this.plain(values), from });
  }

  /** The constructs that have added values, in their order. */
  get adders(): readonly IConstruct[] {
    return [...this.addedBy];
  }

  /** Reports what cannot be written, and where layers that may not contradict each other do. */
  checkConflicts(): readonly Problem[] {
    this.composed ??= this.compose();
    return [...this.unwritable, ...this.composed.unwritable, ...checkDecidedValues(this.composed.decided, this.own)];
  }

  private compose(): Composed {
    const values = knownValues(layerValues(this.defaults, this.own, this.decided));
    if (this.dependent.length === 0) return { values, decided: this.decided, unwritable: [] };
    // Each depends on the same values, so that it does not matter which construct was there first.
    const added = this.dependent.map(({ decide, from }) => ({
      from,
      ...plainCopy(decide(values) as Values, 'values'),
    }));
    const decided = [...this.decided, ...added.map(({ data, from }) => ({ values: data, from }))];
    const unwritable = added.flatMap(({ problems }) => problems);
    return { values: knownValues(layerValues(this.defaults, this.own, decided)), decided, unwritable };
  }

  private plain(values: GivenValues | undefined): Values {
    // In untyped code, `null` for none.
    const { data, problems } = plainCopy<unknown>(values ?? {}, 'values');
    this.unwritable.push(...problems);
    if (isObject(data)) return data as Values;
    this.unwritable.push(noMap(data));
    return {};
  }
}

/** Values that follow from the props of one construct. */
interface DecidedValues {
  readonly values: Values;
  /** The construct whose props they follow from. */
  readonly from: IConstruct;
}

/** The values that a chart gets: defaults give way to the user's own, these to what props decide. */
export function layerValues(defaults: Values, own: Values, decided: readonly DecidedValues[]): Values {
  return [{ values: own }, ...decided].reduce<Values>(
    (layered, { values }) => mergeValues(layered, values),
    mergeValues({}, defaults),
  );
}

/** Reports where the user's own values contradict decided ones, or decided ones each other. */
export function checkDecidedValues(decided: readonly DecidedValues[], own: Values): readonly Problem[] {
  return decided.flatMap((decision, index) => [
    ...checkOwn(decision, own),
    ...decided.slice(0, index).flatMap((earlier) => checkMutual(earlier, decision)),
  ]);
}

function checkOwn({ values, from }: DecidedValues, own: Values): readonly Problem[] {
  return contradictions(values, own).map(({ path, fromProps, fromValues }) =>
    CHART_FINDINGS.valueContradictsProp({
      path,
      value: JSON.stringify(fromValues),
      construct: from.node.path,
      decided: JSON.stringify(fromProps),
    }),
  );
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
