import type { LinkerdConfig } from './linkerd-config';

/** Whether a LinkerdConfig is accepted, with the reason if it is not. */
export type Acceptance =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: 'Conflict' | 'UnservedNamespace'; readonly message: string };

/**
 * Decides whether a LinkerdConfig is accepted. Accepts only the oldest LinkerdConfig for a ConfigMap, and none for a
 * control plane for which the operator has no permissions.
 *
 * @param servedNamespace - the control plane namespace for which the operator has permissions
 */
export function acceptance(config: LinkerdConfig, all: readonly LinkerdConfig[], servedNamespace: string): Acceptance {
  const { controlPlaneNamespace, configMapName } = config.spec;
  if (controlPlaneNamespace !== servedNamespace) {
    return {
      accepted: false,
      reason: 'UnservedNamespace',
      message:
        `The operator serves the control plane in ${servedNamespace}, not in ${controlPlaneNamespace}: ` +
        'start it with --linkerd-namespace and the permissions for that namespace.',
    };
  }
  const oldest = oldestFor(config, all);
  if (isSameObject(oldest, config)) return { accepted: true };
  return {
    accepted: false,
    reason: 'Conflict',
    message:
      `LinkerdConfig ${oldest.metadata.name} is older and configures ${controlPlaneNamespace}/${configMapName}: ` +
      'this one takes over when the older one is deleted.',
  };
}

/** Returns the other LinkerdConfigs for the same ConfigMap. */
export function rivals(
  config: Pick<LinkerdConfig, 'metadata' | 'spec'>,
  all: readonly LinkerdConfig[],
): readonly LinkerdConfig[] {
  const { controlPlaneNamespace, configMapName } = config.spec;
  return all.filter(
    (other) =>
      !isSameObject(other, config) &&
      other.spec.controlPlaneNamespace === controlPlaneNamespace &&
      other.spec.configMapName === configMapName,
  );
}

function oldestFor(config: LinkerdConfig, all: readonly LinkerdConfig[]): LinkerdConfig {
  return rivals(config, all).reduce((oldest, other) => (isOlder(other, oldest) ? other : oldest), config);
}

/** Times are whole seconds, so names decide between two of the same second. RFC 3339 in UTC sorts as text. */
function isOlder({ metadata: a }: LinkerdConfig, { metadata: b }: LinkerdConfig): boolean {
  const [madeA = '', madeB = ''] = [a.creationTimestamp, b.creationTimestamp];
  return madeA === madeB ? a.name < b.name : madeA < madeB;
}

function isSameObject(a: Pick<LinkerdConfig, 'metadata'>, b: Pick<LinkerdConfig, 'metadata'>): boolean {
  return a.metadata.name === b.metadata.name;
}
