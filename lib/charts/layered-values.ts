import type { IConstruct } from 'constructs';
import { plainCopy } from '../kubernetes/plain-data';
import type { Problem } from '../problems/problem';
import type { GivenValues, Values } from '../releases/values';
import { type DecidedValues, layerValues, valueConflicts } from './decided-values';

/** The values of a chart, by who says so. */
export interface ValueLayers {
  /** Values that give way to the user's (a high-availability profile, say). */
  readonly defaults?: GivenValues;
  /** Values that follow from props; the user's must not contradict them. */
  readonly fromProps?: GivenValues;
  /** The user's own values. */
  readonly values?: GivenValues;
}

/** A chart's values in layers, to which constructs add until synth. */
export class LayeredValues {
  private readonly defaults: Values;
  private readonly own: Values;
  private readonly unwritable: Problem[] = [];
  private readonly decided: DecidedValues[];
  private layered: Values | undefined;

  /** @param from - the construct whose props decide `fromProps` */
  constructor({ defaults, fromProps, values }: ValueLayers, from: IConstruct) {
    this.defaults = this.plain(defaults);
    this.own = this.plain(values);
    this.decided = [{ values: this.plain(fromProps), from }];
  }

  /** Returns what the layers come to. */
  get values(): Values {
    this.layered ??= layerValues(this.defaults, this.own, this.decided);
    return this.layered;
  }

  /** Adds values that follow from the props of another construct; the user's must not contradict these either. */
  add(values: GivenValues, from: IConstruct): void {
    this.decided.push({ values: this.plain(values), from });
    this.layered = undefined;
  }

  /** Reports what cannot be written, and where layers that may not contradict each other do. */
  conflicts(): readonly Problem[] {
    return [...this.unwritable, ...valueConflicts(this.decided, this.own)];
  }

  private plain(values: GivenValues | undefined): Values {
    // In untyped code, `null` for none.
    const { data, problems } = plainCopy(values ?? {}, 'values');
    this.unwritable.push(...problems);
    return data;
  }
}
