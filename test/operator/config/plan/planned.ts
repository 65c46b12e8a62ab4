import { FIELD_MANAGER } from '#operator/api/names';
import type { ConfigMap, LinkerdConfig } from '#operator/src/config/objects/linkerd-config';
import { planConfig } from '#operator/src/config/plan/plan-config';
import type { ConfigPlan } from '#operator/src/config/plan/plan-result';
import { configHash } from '#operator/src/config/values/read-values';
import { keptBaseline } from '#test/support/operator/config-fixture';

/** The values that the installer wrote. */
export const FOUND = '# as installed\nproxy:\n  logLevel: warn\n  uid: 2102\n';
export const FOUND_HASH = configHash({ proxy: { logLevel: 'warn', uid: 2102 } });
/** The same values with another log level. */
export const DEBUG = '# as installed\nproxy:\n  logLevel: debug\n  uid: 2102\n';
export const DEBUG_HASH = configHash({ proxy: { logLevel: 'debug', uid: 2102 } });
/** Different values from both. */
export const OTHER = 'proxy:\n  logLevel: error\n  uid: 1\n';
/** A spec that results in {@link DEBUG}. */
export const wantsDebug = { values: { proxy: { logLevel: 'debug' } } };
/** The baseline ConfigMap with {@link FOUND}. */
export const kept = keptBaseline({ text: FOUND, adoptedHash: FOUND_HASH });

/** The plan for these observed objects. */
export function plan(config: LinkerdConfig, configMap?: ConfigMap, baseline?: ConfigMap): ConfigPlan {
  return planConfig(
    { config, configMap, baseline },
    { fieldManager: FIELD_MANAGER, installers: ['argocd-controller', 'helm'] },
  );
}

/** The step that keeps this text as the baseline. */
export function keeps(text: string, { by = 'uid-mesh', hash = FOUND_HASH } = {}) {
  return { do: 'keep-baseline', baseline: { text, adoptedBy: by, adoptedHash: hash } };
}
