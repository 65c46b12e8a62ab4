import * as der from './der';

/** Object identifiers of extensions: RFC 5280, section 4.2.1. */
export const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
export const AUTHORITY_KEY_IDENTIFIER = '2.5.29.35';
export const SUBJECT_ALT_NAME = '2.5.29.17';
export const BASIC_CONSTRAINTS = '2.5.29.19';
export const NAME_CONSTRAINTS = '2.5.29.30';

/** cert-manager's names of key usages; the index of each is its bit. */
const KEY_USAGES = [
  'digital signature',
  'content commitment',
  'key encipherment',
  'data encipherment',
  'key agreement',
  'cert sign',
  'crl sign',
];

/** The identifiers of extended key usages, by cert-manager's names. */
const EXTENDED_KEY_USAGES: Readonly<Record<string, string>> = {
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
};

export function extension(type: string, value: Buffer, critical = false): Buffer {
  return der.sequence(der.identifier(type), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
}

export function basicConstraints(ca: boolean, pathLength?: number): Buffer {
  const limit = pathLength === undefined ? [] : [der.integer(Buffer.from([pathLength]))];
  return extension(BASIC_CONSTRAINTS, der.sequence(...(ca ? [der.boolean(true), ...limit] : [])), true);
}

/** Permits only DNS names and URIs in the given domains (RFC 5280, section 4.2.1.10). */
export function nameConstraints(permittedDomains: readonly string[], uriDomains: readonly string[] = []): Buffer {
  const subtree = (tag: number, domain: string): Buffer =>
    der.sequence(der.implicit(tag, Buffer.from(domain, 'ascii')));
  const subtrees = [...permittedDomains.map((one) => subtree(2, one)), ...uriDomains.map((one) => subtree(6, one))];
  return extension(NAME_CONSTRAINTS, der.sequence(der.explicit(0, Buffer.concat(subtrees))), true);
}

/** The key usage extension, without the usages that are extended ones. */
export function keyUsage(usages: readonly string[]): Buffer {
  const bits = KEY_USAGES.map((usage, bit) => (usages.includes(usage) ? 0x80 >> bit : 0));
  const byte = bits.reduce((sum, bit) => sum | bit, 0);
  const unused = 7 - bits.findLastIndex((bit) => bit !== 0);
  return extension('2.5.29.15', der.bitString(Buffer.from([byte]), unused), true);
}

/** The extended key usage extension, without the usages that are plain ones. */
export function extendedKeyUsage(usages: readonly string[]): Buffer {
  const known = usages.map((usage) => EXTENDED_KEY_USAGES[usage]).filter((id) => id !== undefined);
  return extension('2.5.29.37', der.sequence(...known.map((id) => der.identifier(id))));
}

/** Whether a usage is a plain or an extended one; `undefined` if it is unknown. */
export function isUsage(usage: string): 'plain' | 'extended' | undefined {
  if (KEY_USAGES.includes(usage)) return 'plain';
  return usage in EXTENDED_KEY_USAGES ? 'extended' : undefined;
}

/** The value of the extension of a type, if the list has one. */
export function extensionValue(extensions: readonly Buffer[], type: string): Buffer | undefined {
  const id = der.identifier(type);
  const found = extensions.find((candidate) => der.elementAt(candidate, 0).equals(id));
  return found && der.contentOf(der.children(found).at(-1) ?? Buffer.alloc(0));
}
