import type { Problem } from '../../kubernetes/findings/problem';
import { MESHING_FINDINGS } from './findings';

/** A pointer whose keys are written as RFC 6901 wants them, to something within the object. */
const POINTER = /^(?:\/(?:[^~/]|~[01])+)+$/;

/** Names of fields that hold a pod template, whose annotations stand in its metadata. */
const TEMPLATE = /template(?:spec)?$/i;

/** Keys that lead out of the data; JSON patches refuse them. */
const NO_DATA = ['__proto__', 'constructor', 'prototype'];

/** Reports what keeps a text from saying where an object has the metadata of its pods. */
export function checkPodMetadata(place: string): readonly Problem[] {
  const keys = place.replace(/^[/.$]+/, '').split(place.includes('/') ? '/' : '.');
  const path = keys.filter((key) => key !== '');
  if (!POINTER.test(place) || keys.some((key) => NO_DATA.includes(key))) {
    return [misplaced(place, 'It is not a JSON pointer (RFC 6901), which starts with a slash', metadataAt(path))];
  }
  const last = path.at(-1) ?? '';
  if (TEMPLATE.test(last))
    return [misplaced(place, 'Annotations are in the metadata of a pod template', metadataAt(path))];
  if (last !== 'annotations') return [];
  return [misplaced(place, 'Annotations are put below it, in annotations', path.slice(0, -1))];
}

function metadataAt(path: readonly string[]): readonly string[] {
  const [first = 'spec', ...others] = path.filter((key) => !NO_DATA.includes(key));
  const whole = [first, ...others];
  return /metadata$/i.test(whole.at(-1) ?? '') ? whole : [...whole, 'metadata'];
}

function misplaced(place: string, reason: string, better: readonly string[]): Problem {
  return MESHING_FINDINGS.podsNotFoundMetadata({ place, reason, proposed: `/${better.join('/')}` });
}
