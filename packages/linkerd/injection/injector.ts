import { EDGE_24_2_4, EDGE_24_11_8, EDGE_25_4_4, EDGE_25_11_2, EDGE_26_5_1, STABLE_2_14_10 } from './earlier-values';
import { INJECTED_VALUES } from './injected-values';
import { type ReleaseGroup, releaseGroup } from './release-group';
import { typeAt, type ValueTypes } from './value-type';

/** The proxy injector of a release, as far as it can refuse values. */
export interface Injector {
  /** All values that it has a type for. It ignores all others, so no rule is about them. */
  readonly types: ValueTypes;
  /** Dotted paths of the maps that it requires. */
  readonly neededMaps: readonly string[];
  /** Native sidecars refuse `proxy.waitBeforeExitSeconds`, which later releases ignore. */
  readonly nativeSidecarRefusesWait: boolean;
  /** It refuses `proxyInit.closeWaitTimeoutSecs` for an init container that does not run as root. */
  readonly closeWaitNeedsRoot: boolean;
}

const INJECTORS: Readonly<Record<ReleaseGroup, Injector>> = {
  'edge-26.8.3': injector(INJECTED_VALUES, { nativeSidecarRefusesWait: false, closeWaitNeedsRoot: true }),
  'edge-26.5.1': injector(EDGE_26_5_1, { nativeSidecarRefusesWait: true, closeWaitNeedsRoot: true }),
  'edge-25.11.2': injector(EDGE_25_11_2, { nativeSidecarRefusesWait: true, closeWaitNeedsRoot: true }),
  'edge-25.4.4': injector(EDGE_25_4_4, { nativeSidecarRefusesWait: true, closeWaitNeedsRoot: true }),
  'edge-24.11.8': injector(EDGE_24_11_8, { nativeSidecarRefusesWait: true, closeWaitNeedsRoot: false }),
  'edge-24.2.4': injector(EDGE_24_2_4, { nativeSidecarRefusesWait: true, closeWaitNeedsRoot: false }),
  // It does not support native sidecars.
  'stable-2.14.10': injector(STABLE_2_14_10, { nativeSidecarRefusesWait: false, closeWaitNeedsRoot: false }),
};

/** The injectors of all groups of releases. */
export const ALL_INJECTORS: readonly Injector[] = Object.values(INJECTORS);

/** Returns the injector of a release, by the value `linkerdVersion`. */
export function injectorOf(linkerdVersion: unknown): Injector {
  return INJECTORS[releaseGroup(linkerdVersion)];
}

/** Whether an injector has a type for the value at a dotted path. */
export function reads({ types }: Injector, path: string): boolean {
  return typeAt(types, path) !== undefined;
}

type Refusals = Pick<Injector, 'nativeSidecarRefusesWait' | 'closeWaitNeedsRoot'>;

function injector(types: ValueTypes, refusals: Refusals): Injector {
  return { types, neededMaps: neededMaps('', types), ...refusals };
}

function neededMaps(prefix: string, of: ValueTypes): readonly string[] {
  return Object.entries(of).flatMap(([key, type]) =>
    type.is === 'map' && type.needed ? [`${prefix}${key}`, ...neededMaps(`${prefix}${key}.`, type.of)] : [],
  );
}
