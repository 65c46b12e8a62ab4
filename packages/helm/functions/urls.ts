import { define } from '../go/define';
import { bytesOf, stringOf } from '../go/go-string';
import { quote } from '../go/quote';
import type { GoFunctions, GoValue } from '../go/values';
import { FunctionError } from '../go/values';
import { kindOf } from './kinds';

type Part = 'path' | 'userinfo' | 'host' | 'fragment';

const UNRESERVED = 'A-Za-z0-9\\-_.~';

const PLAIN: Readonly<Record<Part, RegExp>> = {
  path: new RegExp(`[${UNRESERVED}$&+,/:;=@]`),
  userinfo: new RegExp(`[${UNRESERVED}$&+,;=]`),
  host: new RegExp(`[${UNRESERVED}!$&'()*+,;=:[\\]<>"]`),
  fragment: new RegExp(`[${UNRESERVED}$&+,/:;=?@!()*]`),
};

function escapePart(text: string, part: Part): string {
  return [...bytesOf(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return byte < 0x80 && PLAIN[part].test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function unescapePart(text: string, part: Part): string {
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text);
  if (bad !== null) throw new FunctionError(`invalid URL escape ${quote(bad[0])}`);
  if (part === 'host') checkHostEscapes(text);
  const bytes = bytesOf(text);
  const plain: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 0x25) {
      plain.push(Number.parseInt(bytes.subarray(i + 1, i + 3).toString('latin1'), 16));
      i += 2;
    } else {
      plain.push(bytes[i] ?? 0);
    }
  }
  return stringOf(Buffer.from(plain));
}

function checkHostEscapes(text: string): void {
  const escaped = /%(?!25)[0-7][0-9a-fA-F]/.exec(text);
  if (escaped !== null) throw new FunctionError(`invalid URL escape ${quote(escaped[0])}`);
  const bad = [...text].find((character) => character < '\u0080' && character !== '%' && !PLAIN.host.test(character));
  if (bad !== undefined) throw new FunctionError(`invalid character ${quote(bad)} in host name`);
}

interface Url {
  readonly scheme: string;
  readonly opaque: string;
  /** The user and password, escaped. */
  readonly userinfo: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

function parseUrl(text: string): Url {
  const hash = text.indexOf('#');
  const base = hash < 0 ? text : text.slice(0, hash);
  try {
    const fragment = hash < 0 ? '' : unescapePart(text.slice(hash + 1), 'fragment');
    return { ...parseBase(base), fragment };
  } catch (error) {
    if (error instanceof FunctionError) throw new FunctionError(`parse ${quote(base)}: ${error.message}`);
    throw error;
  }
}

const EMPTY: Url = { scheme: '', opaque: '', userinfo: undefined, host: '', path: '', query: '', fragment: '' };

function parseBase(text: string): Url {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses these characters.
  if (/[\0-\x1f\x7f]/.test(text)) throw new FunctionError('net/url: invalid control character in URL');
  if (text === '*') return { ...EMPTY, path: '*' };
  if (text.startsWith(':')) throw new FunctionError('missing protocol scheme');
  const [, scheme = '', rest = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text) ?? [];
  const mark = rest.indexOf('?');
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  const hierarchy = mark < 0 ? rest : rest.slice(0, mark);
  return { ...EMPTY, scheme: scheme.toLowerCase(), query, ...parseHierarchy(scheme.toLowerCase(), hierarchy) };
}

function parseHierarchy(scheme: string, text: string): Partial<Url> {
  if (!text.startsWith('/')) {
    if (scheme !== '') return { opaque: text };
    if (text.split('/')[0]?.includes(':')) {
      throw new FunctionError('first path segment in URL cannot contain colon');
    }
  }
  if (!text.startsWith('//') || (scheme === '' && text.startsWith('///'))) return { path: unescapePart(text, 'path') };
  const slash = text.indexOf('/', 2);
  const authority = slash < 0 ? text.slice(2) : text.slice(2, slash);
  return { ...parseAuthority(authority), path: slash < 0 ? '' : unescapePart(text.slice(slash), 'path') };
}

function parseAuthority(authority: string): Partial<Url> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if (at < 0) return { host };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new FunctionError('net/url: invalid userinfo');
  const colon = userinfo.indexOf(':');
  if (colon < 0) return { host, userinfo: normalUserinfo(userinfo) };
  return { host, userinfo: `${normalUserinfo(userinfo.slice(0, colon))}:${normalUserinfo(userinfo.slice(colon + 1))}` };
}

function normalUserinfo(text: string): string {
  return escapePart(unescapePart(text, 'userinfo'), 'userinfo');
}

function parseHost(host: string): string {
  if (host.includes('[')) return parseBracketedHost(host);
  const colon = host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapePart(host, 'host');
}

function parseBracketedHost(host: string): string {
  const end = host.lastIndexOf(']');
  if (host.lastIndexOf('[') > 0) throw new FunctionError('invalid IP-literal');
  if (end < 0) throw new FunctionError("missing ']' in host");
  checkPort(host.slice(end + 1));
  const address = unescapePart(host.slice(1, end), 'host');
  if (!isIpv6(address)) throw new FunctionError(`invalid host: ParseAddr(${quote(address)}): unable to parse IP`);
  return `[${address}]${host.slice(end + 1)}`;
}

function isIpv6(text: string): boolean {
  const [plain = ''] = text.split('%', 1);
  const zone = text.length > plain.length + 1 ? plain : text;
  const address = zone.replace(/(\d{1,3}\.){3}\d{1,3}$/, '0:0');
  const halves = address.split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8;
}

function checkPort(port: string): void {
  if (port !== '' && !/^:\d*$/.test(port)) throw new FunctionError(`invalid port ${quote(port)} after host`);
}

function hostname(host: string): string {
  const name = host.replace(/:\d*$/, '');
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

function writeUrl(url: Url): string {
  const { scheme, opaque, query, fragment } = url;
  let text = scheme === '' ? '' : `${scheme}:`;
  text += opaque === '' ? hierarchyOf(url, text === '') : opaque;
  if (query !== '') text += `?${query}`;
  return fragment === '' ? text : `${text}#${escapePart(fragment, 'fragment')}`;
}

function hierarchyOf({ scheme, userinfo, host, path }: Url, isFirst: boolean): string {
  const hasAuthority =
    (scheme !== '' || host !== '' || userinfo !== undefined) && (host !== '' || path !== '' || userinfo !== undefined);
  const user = userinfo === undefined ? '' : `${userinfo}@`;
  const authority = hasAuthority ? `//${user}${escapePart(host, 'host')}` : '';
  const escaped = path === '*' ? path : escapePart(path, 'path');
  if (escaped !== '' && !escaped.startsWith('/') && host !== '') return `${authority}/${escaped}`;
  const needsDot = isFirst && authority === '' && escaped.split('/')[0]?.includes(':');
  return needsDot ? `./${escaped}` : authority + escaped;
}

const urlParse = define(['string'], ([text], budget) => {
  budget.spend(1 + Math.ceil(text.length / 100));
  const url = attempt('unable to parse url', () => parseUrl(text));
  return new Map<string, GoValue>([
    ['scheme', url.scheme],
    ['host', url.host],
    ['hostname', hostname(url.host)],
    ['path', url.path],
    ['query', url.query],
    ['opaque', url.opaque],
    ['fragment', url.fragment],
    ['userinfo', url.userinfo ?? ''],
  ]);
});

const urlJoin = define(['map'], ([parts], budget) => {
  budget.spend(1);
  const part = (key: string): string => textPart(parts, key);
  const userinfo = part('userinfo');
  return writeUrl({
    scheme: part('scheme'),
    opaque: part('opaque'),
    host: part('host'),
    path: part('path'),
    query: part('query'),
    fragment: part('fragment'),
    userinfo:
      userinfo === ''
        ? undefined
        : attempt('unable to parse userinfo in dict', () => parseUrl(`proto://${userinfo}@host`)).userinfo,
  });
});

function attempt(problem: string, parse: () => Url): Url {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FunctionError) throw new FunctionError(`${problem}: ${error.message}`);
    throw error;
  }
}

function textPart(parts: Map<string, GoValue>, key: string): string {
  if (!parts.has(key)) return '';
  const value = parts.get(key);
  if (typeof value === 'string') return value;
  throw new FunctionError(`unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`);
}

/** Functions of URLs. */
export const urlFunctions: GoFunctions = new Map(Object.entries({ urlParse, urlJoin }));
