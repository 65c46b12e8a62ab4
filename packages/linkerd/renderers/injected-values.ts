import type { Problem } from '#base/findings/problem';
import { remembered } from '#base/remembered';
import { secretsIn } from '#base/secrets/secret-walk';
import { replaceValues, type Values } from '#base/values';
import { misfitPaths } from '#kubernetes/schemas/schema';
import { checkInjection } from '../injection/check-injection';
import { defaultsOf } from '../releases/chart-defaults';
import type { Release } from '../releases/release';
import { releaseInjector } from '../releases/release-injector';

/** Values with their own rules: two are set by props of CertManagerPKI, and one is compared with the release. */
const RULED = [['clusterDomain'], ['identityTrustDomain'], ['linkerdVersion']];

/**
 * Checks the values of a release's control plane that its injector reads. Secrets, and values that fail other checks,
 * are replaced by the chart's defaults.
 */
export const checkInjectedValues = remembered((release: Release) =>
  remembered((values: Values): readonly Problem[] => {
    const refused = [
      ...RULED,
      ...misfitPaths(release.charts.controlPlane, values),
      ...secretsIn(values).map(({ path }) => path),
    ];
    const accepted = replaceValues(values, refused, defaultsOf(release).controlPlane);
    return checkInjection(accepted, releaseInjector(release));
  }),
);
