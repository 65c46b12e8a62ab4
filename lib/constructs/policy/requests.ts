import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { grouped } from '#base/grouped';
import { isObject } from '#base/is-object';
import { type ClientSet, clientSetKey, isNobody, union } from './client-set';
import { POLICY_FINDINGS } from './findings';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'] as const;

/** An HTTP method. */
export type HttpMethod = (typeof METHODS)[number];

/** HTTP requests, by method and path. */
export interface HttpRequests {
  /**
   * The method.
   *
   * @default - any
   */
  readonly method?: HttpMethod;
  /**
   * The exact path, without a query.
   *
   * @default - any
   */
  readonly path?: string;
  /**
   * The start of the path, in whole segments: `/items` matches `/items` and `/items/7`, but not `/itemsets`.
   *
   * @default - any
   */
  readonly pathPrefix?: string;
}

/** Requests, and the clients that may make them. */
export interface GrantedRequests {
  readonly requests: HttpRequests;
  readonly clients: ClientSet;
}

interface Match {
  readonly method: HttpMethod | undefined;
  readonly path: string;
  readonly isPrefix: boolean;
}

/** Requests that the same clients may make: one route. */
export interface RequestGroup {
  readonly matches: readonly Match[];
  readonly clients: ClientSet;
}

/** Reports requests that would not match as intended. */
export function checkRequests(field: string, requests: HttpRequests): readonly Problem[] {
  const { method, path, pathPrefix, ...others }: HttpRequests & object = isObject(requests)
    ? requests
    : Object({ requests });
  // Unknown keys would match all requests.
  if (Object.keys(others).length > 0)
    return [POLICY_FINDINGS.policyValueRefusedRequests({ field, value: shownValue(requests) })];
  return [
    ...(method === undefined || METHODS.includes(method)
      ? []
      : [
          POLICY_FINDINGS.policyValueRefusedMethod({
            field: `${field}.method`,
            value: shownValue(method),
            methods: METHODS.join(', '),
          }),
        ]),
    ...(path !== undefined && pathPrefix !== undefined
      ? [POLICY_FINDINGS.policyValueRefusedPathTwice({ field, value: shownValue(requests) })]
      : []),
    ...checkPath(`${field}.path`, path),
    ...checkPath(`${field}.pathPrefix`, pathPrefix),
  ];
}

function checkPath(field: string, path: string | undefined): readonly Problem[] {
  if (path === undefined) return [];
  if (typeof path !== 'string' || !path.startsWith('/'))
    return [POLICY_FINDINGS.policyValueRefusedPath({ field, value: shownValue(path) })];
  // Routes match only the path, without the query (linkerd2#10877).
  if (/[?#]/.test(path))
    return [
      POLICY_FINDINGS.policyValueRefusedPathQuery({
        field,
        value: shownValue(path),
        proposed: `${path.split(/[?#]/)[0]}`,
      }),
    ];
  return path.length <= MAX_CHARACTERS
    ? []
    : [POLICY_FINDINGS.policyValueRefusedPathLong({ field, length: path.length, most: MAX_CHARACTERS })];
}

/** Maximum length of a path, by the CRDs. */
const MAX_CHARACTERS = 1024;

/**
 * Sorts requests into routes, so that each client may make all requests that any policy grants it. Of all routes that
 * match a request, the proxy uses the one with the longest path, then one with a method, and checks only its
 * authorizations (linkerd2-proxy, linkerd/http/route): so each path and method gets the clients of all grants that
 * cover it.
 *
 * Requests that no grant covers also get a route: without one the proxy answers with 404, even if it should only report
 * them (`accessPolicy: audit`).
 */
export function groupRequests(granted: readonly GrantedRequests[]): readonly RequestGroup[] {
  const given = granted.map(({ requests, clients }) => ({ ...matchOf(requests), clients }));
  const places = new Map(
    [...given, EVERYTHING].map(({ path, isPrefix }) => [`${isPrefix} ${path}`, { path, isPrefix }]),
  );
  const named = [...new Set(given.flatMap(({ method }) => method ?? []))];
  const matches = [...places.values()].flatMap((place) =>
    matchesAt(
      place,
      given.filter((one) => covers(one, place)),
      { named, isTied: places.has(`${!place.isPrefix} ${place.path}`) },
    ),
  );
  const groups = grouped(matches.map((match) => [clientSetKey(match.clients), match]));
  return [...groups.values()].map((group) => ({
    clients: group[0].clients,
    matches: group.map(({ clients: _, ...match }) => match).toSorted(byPath),
  }));
}

const EVERYTHING = { path: '/', isPrefix: true };

function matchesAt(
  place: Omit<Match, 'method'>,
  covering: readonly (Match & { readonly clients: ClientSet })[],
  { named, isTied }: { readonly named: readonly HttpMethod[]; readonly isTied: boolean },
): readonly (Match & { readonly clients: ClientSet })[] {
  const matchFor = (method: HttpMethod | undefined) => {
    const clients = union(
      covering.filter((one) => one.method === undefined || one.method === method).map((one) => one.clients),
    );
    return { ...place, method, clients };
  };
  const ofAny = matchFor(undefined);
  // An exact path and a prefix match equally well; with a method, the exact path matches better.
  if (isTied && !place.isPrefix) return METHODS.map(matchFor).filter(({ clients }) => !isNobody(clients));
  const different = named.map(matchFor).filter(({ clients }) => clientSetKey(clients) !== clientSetKey(ofAny.clients));
  const isNeeded = !isNobody(ofAny.clients) || place.path === '/';
  return [...different, ...(isNeeded ? [ofAny] : [])];
}

/**
 * Reports requests that match several routes equally well: a path, and all paths below it, for different clients. The
 * route that was created first would decide.
 */
export function checkTies(field: string, groups: readonly RequestGroup[]): readonly Problem[] {
  const clientsOf = new Map(
    groups.flatMap(({ matches, clients }) => matches.map((match) => [matchKey(match), clientSetKey(clients)] as const)),
  );
  const matches = groups.flatMap((group) => group.matches);
  const tied = matches.filter((match) => {
    const exact = clientsOf.get(matchKey({ ...match, isPrefix: false }));
    return match.isPrefix && exact !== undefined && exact !== clientsOf.get(matchKey(match));
  });
  return tied.map(({ path, method }) =>
    POLICY_FINDINGS.routesTied({ field, requests: method === undefined ? 'requests' : `${method} requests`, path }),
  );
}

function matchKey({ path, isPrefix, method }: Match): string {
  return `${isPrefix} ${method} ${path}`;
}

function matchOf({ method, path, pathPrefix }: HttpRequests): Match {
  if (path !== undefined) return { method, path, isPrefix: false };
  // Like the proxy, ignore slashes at the end of a prefix.
  const prefix = (pathPrefix ?? '/').replace(/\/+$/, '');
  return { method, path: prefix === '' ? '/' : prefix, isPrefix: true };
}

function covers(one: Match, { path, isPrefix }: Omit<Match, 'method'>): boolean {
  if (!one.isPrefix) return !isPrefix && one.path === path;
  return one.path === '/' || one.path === path || path.startsWith(`${one.path}/`);
}

function byPath(one: Match, other: Match): number {
  return matchText(one) < matchText(other) ? -1 : 1;
}

function matchText({ path, isPrefix, method }: Match): string {
  return `${path} ${isPrefix ? 1 : 0} ${method ?? ''}`;
}
