import { isIP } from 'node:net';
import { RE2JS } from 're2js';

type Format = (text: string) => boolean;

const DURATION = /^P(?:\d+W|(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;

const LABEL = /^(?!-)[a-zA-Z0-9-]{1,63}(?<!-)$/;

const LOCAL_PART = /^(?!\.)(?!.*\.\.)[a-zA-Z0-9.!#$%&'*+\-/=?^_`{|}~]{0,64}(?<!\.)$/;

const NUMBER = '(?:0|[1-9]\\d*)';
const IDENTIFIER = `(?:${NUMBER}|\\d*[a-zA-Z-][a-zA-Z0-9-]*)`;
const SEMVER = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)?(?:\\+[a-zA-Z0-9-]+(?:\\.[a-zA-Z0-9-]+)*)?$`,
);

/** Longer texts match no format: patterns with look-ahead are slow for them. */
const MAX_LENGTH = 2048;

/** The formats that Helm's validator checks (github.com/santhosh-tekuri/jsonschema/v6/format.go). */
export const SCHEMA_FORMATS: Readonly<Record<string, Format>> = Object.fromEntries<Format>(
  Object.entries<Format>({
    regex: isPattern,
    'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
    'relative-json-pointer': (text) => /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/.test(text),
    uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
    duration: isDuration,
    period: isPeriod,
    ipv4: (text) => isIP(text) === 4,
    ipv6: (text) => isIP(text) === 6 && !text.includes('%'),
    hostname: isHostname,
    email: isEmail,
    date: isDate,
    time: isTime,
    'date-time': isDateTime,
    uri: isUri,
    iri: isUri,
    'uri-reference': isUriReference,
    'iri-reference': isUriReference,
    'uri-template': isUriReference,
    semver: (text) => SEMVER.test(text),
  }).map(([name, check]) => [name, (text: string) => text.length <= MAX_LENGTH && check(text)]),
);

function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}

function isDuration(text: string): boolean {
  return DURATION.test(text);
}

function isPeriod(text: string): boolean {
  const slash = text.indexOf('/');
  const [start, end] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  if (start.startsWith('P')) return isDuration(start) && isDateTime(end);
  return isDateTime(start) && (isDuration(end) || isDateTime(end));
}

function isHostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  return name.length <= 253 && name.split('.').every((label) => LABEL.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (text.length > 254 || at === -1 || at > 64) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const isLocal = local.length > 1 && local.startsWith('"') ? /^"[^"\\]*.$/.test(local) : LOCAL_PART.test(local);
  const address = /^\[(IPv6:)?(.*)\]$/.exec(domain);
  if (address === null) return isLocal && isHostname(domain);
  return isLocal && isIP(address[2] ?? '') === (address[1] === undefined ? 4 : 6);
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (day === '' || Number(month) < 1 || Number(month) > 12 || Number(day) < 1) return false;
  const isLeapYear = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return Number(day) <= (days[Number(month) - 1] ?? 0);
}

function isTime(text: string): boolean {
  const time = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/.exec(text);
  if (time === null) return false;
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])];
  const [zoneHour, zoneMinute] = [Number(time[5] ?? 0), Number(time[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return false;
  // Leap seconds are inserted at midnight of UTC.
  const offset = (time[4] === '+' ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  return second < 60 || (hour * 60 + minute + offset + 1440) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  return /^[tT]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** Whether Go parses a text as a URL: it refuses control characters, broken escapes and ports that are not numbers. */
function isUriReference(text: string): boolean {
  if (/[\0-\x20\x7f\\]/.test(text.replace(/ /g, '%20')) || /%(?![0-9a-fA-F]{2})/.test(text)) return false;
  if (/^[^/?#]*:/.test(text) && !/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text)) return false;
  const authority = /^(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  const host = /^(?:\[([^\]]*)\]|[^:[\]]*)(?::\d*)?$/.exec(authority.slice(authority.lastIndexOf('@') + 1));
  return host !== null && !host[0].includes(' ') && (host[1] === undefined || isIP(host[1]) === 6);
}

function isUri(text: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text) && isUriReference(text);
}
