/** One element of DER: its tag, its content, and all its bytes. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** Tags in certificates. */
export const DER = { boolean: 0x01, integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30, version: 0xa0 } as const;

/** Parses consecutive elements, up to the first truncated one. */
export function derElements(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const element = elementAt(bytes, offset);
    if (element === undefined) break;
    elements.push(element);
    offset += element.whole.length;
  }
  return elements;
}

const MAX_LENGTH_LENGTH = 4;

function elementAt(bytes: Buffer, offset: number): DerElement | undefined {
  const [tag, first] = [bytes[offset], bytes[offset + 1]];
  if (tag === undefined || first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = offset + 2 + lengthBytes;
  if (lengthBytes > MAX_LENGTH_LENGTH || start > bytes.length) return undefined;
  const length = lengthBytes === 0 ? first & 0x7f : bytes.readUIntBE(offset + 2, lengthBytes);
  const end = start + length;
  if (end > bytes.length) return undefined;
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(offset, end) };
}
