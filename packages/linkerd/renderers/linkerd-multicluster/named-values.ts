import { isMap, type Values, valueAt } from '#base/values';

/** Returns the names of the links with service mirrors. */
export function linkNames({ controllers }: Values): readonly string[] {
  if (!Array.isArray(controllers)) return [];
  return controllers.flatMap((controller) => {
    const name = isMap(controller) ? valueAt(controller, 'link.ref.name') : undefined;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
}

interface RemoteAccountValues {
  readonly remoteMirrorServiceAccount?: unknown;
  readonly remoteMirrorServiceAccountName?: unknown;
}

/**
 * Returns the names of the accounts with which other clusters read this one's services: a list, or a comma-separated
 * text.
 */
export function remoteAccounts({
  remoteMirrorServiceAccount,
  remoteMirrorServiceAccountName: given,
}: RemoteAccountValues): readonly string[] {
  if (remoteMirrorServiceAccount !== true) return [];
  const names = Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : [];
  return names.filter((name) => typeof name === 'string').map((name) => name.trim());
}
