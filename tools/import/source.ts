import { parse } from 'yaml';
import { commentedKeys } from './commented-keys';
import { type Crd, parseCrd } from './crd';
import { fingerprint } from './fingerprint';
import type { Swagger } from './openapi';
import type { Pin } from './pins';

/** The content of an upstream file. */
export type Source =
  | { readonly type: 'crd'; readonly pin: Pin; readonly crd: Crd }
  | { readonly type: 'kubernetes'; readonly pin: Pin; readonly swagger: Swagger }
  | {
      readonly type: 'chart';
      readonly pin: Pin;
      readonly chart: string;
      readonly release: string;
      readonly file: string;
      readonly text: string;
    };

/** Parses a pinned file by the type that its name gives. */
export function parseSource(pin: Pin, text: string): Source {
  const [type, owner, release, file] = pin.name.split('/');
  try {
    if (type === 'kubernetes') return { type, pin, swagger: JSON.parse(text) };
    if (type === 'charts') {
      return { type: 'chart', pin, chart: owner ?? '', release: release ?? '', file: file ?? '', text };
    }
    const crd = parseCrd(text);
    if (crd.group !== owner) throw new Error(`its group is ${crd.group}`);
    return { type: 'crd', pin, crd };
  } catch (error) {
    throw new Error(`${pin.name} from ${pin.url}: ${(error as Error).message}`);
  }
}

/** A hash of the parts of a file that an import uses: a copy without its prose has the same hash. */
export function sourceFingerprint(source: Source): string {
  if (source.type === 'crd') return fingerprint(source.crd);
  if (source.type === 'kubernetes') return fingerprint(source.swagger.definitions);
  return fingerprint([parse(source.text), source.file === 'values.yaml' ? commentedKeys(source.text) : []]);
}
