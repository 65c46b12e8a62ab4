import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '#base/findings/problem';
import { isMap, memberOf, type Value, type Values } from '#base/values';
import type { Release } from '#linkerd/releases/release';
import { CLI_FINDINGS } from '../findings';

/** Keys that lead to a value; a string with dots if no key contains one. */
type Path = string | readonly string[];

/** The values of a chart, without those already taken for props. */
export class RemainingValues {
  constructor(private rest: Values) {}

  /** The values that were not taken; absent if there are none. */
  get values(): Values | undefined {
    return Object.keys(this.rest).length === 0 ? undefined : this.rest;
  }

  /** Removes the value at a path, and returns it. */
  take(path: Path): Value | undefined {
    const value = this.at(path);
    if (value !== undefined) this.rest = without(this.rest, keysOf(path));
    return value;
  }

  /** Takes the value at a path, or the list that contains it. */
  takeMost(path: readonly string[]): void {
    const list = path.findIndex((_, index) => Array.isArray(this.at(path.slice(0, index))));
    this.take(list === -1 ? path : path.slice(0, list));
  }

  /** Like `take`, for strings; empty, non-string or rejected values stay. */
  takeText(path: Path, accept: (text: string) => boolean = () => true): string | undefined {
    const value = this.at(path);
    if (typeof value !== 'string' || value === '' || !accept(value)) return undefined;
    this.take(path);
    return value;
  }

  private at(path: Path): Value | undefined {
    return keysOf(path).reduce<Value | undefined>(
      (value, key) => (isMap(value) ? memberOf(value, key) : undefined),
      this.rest,
    );
  }
}

function keysOf(path: Path): readonly string[] {
  return typeof path === 'string' ? path.split('.') : path;
}

/** A map is removed with its last value. */
function without(values: Values, [key = '', ...path]: readonly string[]): Values {
  const { [key]: inside, ...rest } = values;
  if (path.length === 0 || !isMap(inside)) return rest;
  const left = without(inside, path);
  return Object.keys(left).length === 0 ? rest : { ...values, [key]: left };
}

/** Returns the values that differ from the base; null for removed values. */
export function changedValues(base: Values, values: Values): Values {
  const changed = new Map<string, Value>();
  for (const key of new Set([...Object.keys(values), ...Object.keys(base)])) {
    const change = changedValue(memberOf(base, key) ?? null, memberOf(values, key) ?? null);
    if (change !== undefined) changed.set(key, change);
  }
  return Object.fromEntries(changed);
}

function changedValue(before: Value, after: Value): Value | undefined {
  if (isMap(before) && isMap(after)) {
    const inside = changedValues(before, after);
    return Object.keys(inside).length === 0 ? undefined : inside;
  }
  return isDeepStrictEqual(before, after) ? undefined : after;
}

const SOURCES_OF_CA = ['externalSecret', 'injectCaFrom', 'injectCaFromSecret', 'caBundle'];

/** A webhook with a certificate from the PKI. */
interface Webhook {
  /** The key of the webhook in the values. */
  readonly key: string;
  /** The Certificate that the PKI creates for the webhook: `namespace/name`. */
  readonly certificate: string;
}

/** Takes the values that set the source of webhooks' certificates, which the PKI decides. */
export function takeWebhooks(remaining: RemainingValues, webhooks: readonly Webhook[]): readonly Problem[] {
  return webhooks.flatMap(({ key: webhook, certificate }) => {
    const given = SOURCES_OF_CA.map(
      (key) => [`values.${webhook}.${key}`, remaining.take(`${webhook}.${key}`)] as const,
    );
    const isSame = given.some(([, value]) => value === certificate);
    const lost = given.filter(
      ([path, value]) => Boolean(value) && value !== certificate && !(isSame && path.endsWith('externalSecret')),
    );
    return [
      ...(lost.length === 0
        ? []
        : [CLI_FINDINGS.notMigratedWebhookCa({ path: lost.map(([path]) => path).join(' and ') })]),
      ...takeCertificate(remaining, `${webhook}.crtPEM`),
    ];
  });
}

/** Takes a certificate, which is useless without its key. */
export function takeCertificate(remaining: RemainingValues, path: string): readonly Problem[] {
  if (remaining.takeText(path) === undefined) return [];
  return [CLI_FINDINGS.valueIgnoredCertificate({ path: `values.${path}` })];
}

/** Takes the version in the values, which constructs set. */
export function takeVersion(remaining: RemainingValues, release: Release): readonly Problem[] {
  const named = remaining.takeText('linkerdVersion');
  if (named === undefined || named === release.version) return [];
  return [CLI_FINDINGS.notMigratedVersion({ version: named, release: release.version })];
}

/** Takes the switch for PodSecurityPolicies, which Kubernetes no longer has. */
export function takePodSecurityPolicy(remaining: RemainingValues): readonly Problem[] {
  if (remaining.take('enablePSP') !== true) return [];
  return [CLI_FINDINGS.valueIgnoredPodSecurityPolicy({ path: 'values.enablePSP' })];
}
