import { isMap, type Values, valueAt } from '../../../kubernetes/values';

/** The names of the links that values have service mirrors for. */
export function linkNames({ controllers }: Values): readonly string[] {
  if (!Array.isArray(controllers)) return [];
  return controllers.flatMap((controller) => {
    const name = isMap(controller) ? valueAt(controller, 'link.ref.name') : undefined;
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
}

/** Values that say by which accounts other clusters read this one's services. */
interface RemoteAccountValues {
  readonly remoteMirrorServiceAccount?: unknown;
  readonly remoteMirrorServiceAccountName?: unknown;
}

/** The names of the accounts by which other clusters read this one's services: a list, or a text with commas. */
export function remoteAccounts({
  remoteMirrorServiceAccount,
  remoteMirrorServiceAccountName: given,
}: RemoteAccountValues): readonly string[] {
  if (remoteMirrorServiceAccount !== true) return [];
  const names = Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : [];
  return names.filter((name) => typeof name === 'string').map((name) => name.trim());
}
