import { structObject } from '../go/struct-object';
import type { GoObject } from '../go/values';
import defaultApiVersions from './default-api-versions.json';

/** The cluster that a chart is rendered for. */
export interface Capabilities {
  /** Version of Kubernetes, such as `v1.34.0`. */
  readonly kubeVersion: string;
  /** API versions beyond Helm's default set, such as `monitoring.coreos.com/v1`. */
  readonly apiVersions: readonly string[];
}

const HELM_VERSION = 'v3.19.5';

/** Thrown for a text that is not a version of Kubernetes. */
export class KubeVersionError extends Error {
  override readonly name = 'KubeVersionError';
}

interface KubeVersion {
  readonly version: string;
  readonly major: string;
  readonly minor: string;
}

/**
 * Reads a version of Kubernetes as Helm does: any text after its numbers is ignored.
 *
 * @throws KubeVersionError if it is not a version
 */
export function parseKubeVersion(text: string): KubeVersion {
  const numbers = /^\s*v?(\d+(?:\.\d+)+)/.exec(text)?.[1]?.split('.') ?? [];
  const [major, minor] = numbers;
  if (
    major === undefined ||
    minor === undefined ||
    /^0\d/.test(major) ||
    numbers.some((number) => number.length > 19)
  ) {
    throw new KubeVersionError(`"${text}" is not a version of Kubernetes such as v1.34.0`);
  }
  const parts = numbers.map((number) => String(BigInt(number)));
  return { version: `v${parts.join('.')}`, major: String(BigInt(major)), minor: String(BigInt(minor)) };
}

/** Returns `.Capabilities`. */
export function capabilitiesObject({ kubeVersion, apiVersions }: Capabilities): GoObject {
  const { version, major, minor } = parseKubeVersion(kubeVersion);
  const versions = [...defaultApiVersions, ...apiVersions];
  const known = new Set(versions);
  const set: GoObject = {
    goType: 'chartutil.VersionSet',
    goKind: 'slice',
    data: versions,
    fields: new Map(),
    methods: new Map([['Has', { parameters: ['string'], call: ([wanted]) => known.has(wanted as string) }]]),
  };
  const getVersion = { parameters: [], call: () => version };
  const copy = structObject(
    'chartutil.KubeVersion',
    [
      ['Version', 'Version', version],
      ['Major', 'Major', major],
      ['Minor', 'Minor', minor],
    ],
    'all',
  );
  const methods = new Map([
    ['GitVersion', getVersion],
    ['String', getVersion],
  ]);
  const capabilities: GoObject = structObject(
    '*chartutil.Capabilities',
    [
      ['KubeVersion', 'KubeVersion', { ...copy, methods, copy }],
      ['APIVersions', 'APIVersions', set],
      ['HelmVersion', 'HelmVersion', helmVersion()],
    ],
    'all',
    new Map([['Copy', { parameters: [], call: () => capabilities }]]),
  );
  return capabilities;
}

function helmVersion(): GoObject {
  return structObject(
    'version.BuildInfo',
    [
      ['Version', 'version', HELM_VERSION],
      ['GitCommit', 'git_commit', ''],
      ['GitTreeState', 'git_tree_state', ''],
      ['GoVersion', 'go_version', ''],
    ],
    'not empty',
  );
}
