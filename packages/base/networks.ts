// Used as a parser of addresses only: this module opens no connection.

import { BlockList, isIP } from 'node:net';

interface Block {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** The notations of networks that a reader accepts besides CIDR. No reader accepts the zone of an address. */
export interface NetworkForm {
  /** True to accept an address without a prefix, as a block of one address. */
  readonly bare?: true;
  /** True to accept leading zeros in addresses and prefixes of IPv4, as in Kubernetes (ParseCIDRSloppy). */
  readonly zeros?: true;
}

/** Whether a string is a block of addresses. */
export function isNetwork(text: string, form: NetworkForm = {}): boolean {
  return blockOf(text, form) !== undefined;
}

/** Whether a block contains all addresses of another one; undefined for invalid blocks. */
export function containsNetwork(outer: string, inner: string, form: NetworkForm = {}): boolean | undefined {
  const [one, other] = [blockOf(outer, form), blockOf(inner, form)];
  if (one === undefined || other === undefined) return undefined;
  if (one.family !== other.family || one.prefix > other.prefix) return false;
  const list = new BlockList();
  list.addSubnet(one.address, one.prefix, one.family);
  return list.check(other.address, other.family);
}

function blockOf(text: string, { bare, zeros }: NetworkForm): Block | undefined {
  const [, written = '', bits] = /^([^/%]+)(?:\/(\d+))?$/.exec(text) ?? [];
  const address = zeros && !written.includes(':') ? written.replace(/(?<=^|\.)0+(?=\d)/g, '') : written;
  const version = isIP(address);
  if (version === 0 || (bits === undefined && !bare) || (!zeros && /^0\d/.test(bits ?? ''))) return undefined;
  const longest = version === 4 ? 32 : 128;
  const prefix = Number(bits ?? longest);
  return prefix > longest ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
