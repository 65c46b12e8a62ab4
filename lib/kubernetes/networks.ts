// Only a parser of addresses; it opens no connection.

import { BlockList, isIP } from 'node:net';

/** A block of addresses; one address is a block by itself. */
interface Block {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Tells whether a text is an address, or a block of them in CIDR notation. */
export function isNetwork(text: string): boolean {
  return blockOf(text) !== undefined;
}

/** Tells whether a block has all addresses of another one in it. Of what is no block nothing is known. */
export function containsNetwork(outer: string, inner: string): boolean | undefined {
  const [one, other] = [blockOf(outer), blockOf(inner)];
  if (one === undefined || other === undefined) return undefined;
  if (one.family !== other.family || one.prefix > other.prefix) return false;
  const list = new BlockList();
  list.addSubnet(one.address, one.prefix, one.family);
  return list.check(other.address, other.family);
}

function blockOf(text: string): Block | undefined {
  const [, address = '', given] = /^([^/%]+)(?:\/(0|[1-9]\d*))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const longest = version === 4 ? 32 : 128;
  const prefix = Number(given ?? longest);
  return prefix > longest ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
