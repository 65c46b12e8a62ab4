// Only a parser of addresses; it opens no connection.

import { BlockList, isIP } from 'node:net';

/** A block of addresses; a single address is also a block. */
interface Block {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Whether a string is an address, or a block of them in CIDR notation. */
export function isNetwork(text: string): boolean {
  return blockOf(text) !== undefined;
}

/** Whether a block contains all addresses of another one; undefined for invalid blocks. */
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
