/** The key of a report under which its version is: a number that only grows, whatever the report says. */
export const VERSION = 'version';

/** Returns the version after another one: the time, so that it grows also if the last report was lost. */
export function nextVersion(before: string | undefined, now: number): string {
  return String(Math.max((versionOf(before) ?? 0) + 1, Math.floor(now)));
}

/** Whether a report is older than a copy of a later one. Earlier releases have no versions. */
export function isOlder(
  report: Readonly<Record<string, string>>,
  copy: Readonly<Record<string, string>> | undefined,
): boolean {
  const [version, copied] = [versionOf(report[VERSION]), versionOf(copy?.[VERSION])];
  return version !== undefined && copied !== undefined && version < copied;
}

function versionOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}
