import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { suggest } from '#base/suggest';
import { ANNOTATIONS } from '#lib/checks/linkerd/annotation-table';
import * as keys from '#linkerd/annotations';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { MESHING_FINDINGS } from '../findings';
import type { MeshConfig } from './mesh-config';

type Shape = 'list' | readonly string[] | { readonly [key: string]: Shape };

const wordsOf = (key: string): readonly string[] => ANNOTATIONS.get(key)?.form.words ?? [];

const CONFIG: Readonly<Record<string, Shape>> = {
  opaquePorts: 'list',
  skipInboundPorts: 'list',
  skipOutboundPorts: 'list',
  podInboundPorts: 'list',
  skipSubnets: 'list',
  defaultInboundPolicy: wordsOf(keys.DEFAULT_INBOUND_POLICY),
  traceAttributes: {},
  proxy: {
    cpu: {},
    memory: {},
    ephemeralStorage: {},
    image: { pullPolicy: wordsOf(keys.IMAGE_PULL_POLICY) },
    initImage: {},
    logFormat: wordsOf(keys.PROXY_LOG_FORMAT),
    accessLog: wordsOf(keys.ACCESS_LOG),
    connectTimeout: {},
    discoveryCacheTimeout: {},
    unlimitedProtocolDetection: {},
    ports: {},
    env: 'list',
  },
};

/** A configuration without its malformed members, and a problem for each of them. */
export interface ShapedConfig<C extends MeshConfig> {
  readonly config: C;
  readonly problems: readonly Problem[];
}

/** Reads a configuration that JavaScript may pass. */
export function shapedConfig<C extends MeshConfig>(config: C): ShapedConfig<C> {
  const problems: Problem[] = [];
  return { config: shaped(config, CONFIG, { path: '', problems }) as C, problems };
}

interface Reading {
  /** Path of the map, ending in a dot. */
  readonly path: string;
  readonly problems: Problem[];
}

function shaped(map: object, shape: Readonly<Record<string, Shape>>, { path, problems }: Reading): object {
  const members = Object.entries(map).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    const form = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (form === undefined || value === undefined) return [[key, value]];
    const field = `${path}${key}`;
    if (!hasShape(value, form)) {
      problems.push(misshapen(field, value, form));
      return [];
    }
    return [[key, isMap(form) ? shaped(value as object, form, { path: `${field}.`, problems }) : value]];
  });
  return Object.fromEntries(members);
}

function hasShape(value: unknown, form: Shape): boolean {
  if (form === 'list') return Array.isArray(value);
  return isMap(form) ? isObject(value) : form.includes(value as string);
}

function isMap(form: Shape): form is { readonly [key: string]: Shape } {
  return typeof form === 'object' && !Array.isArray(form);
}

function misshapen(field: string, value: unknown, form: Shape): Problem {
  const shown = JSON.stringify(value) ?? typeof value;
  if (form === 'list' || isMap(form)) {
    return MESHING_FINDINGS.settingRefusedType({ field, value: shown, form: form === 'list' ? 'list' : 'map' });
  }
  const proposed = suggest(`${value}`, form)[0] ?? `one of ${form.join(', ')}`;
  return LINKERD_FINDINGS.settingRefusedValue({ field, value: shown, proposed });
}
