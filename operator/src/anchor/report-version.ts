/** The key of a report's version: a number that grows with each report. */
export const VERSION = 'version';

/** Returns the next version. It uses the time, so that versions grow even if the last report is lost. */
export function nextVersion(before: string | undefined, now: number): string {
  return String(Math.max((versionOf(before) ?? 0) + 1, Math.floor(now)));
}

/** Whether a report is older than a copy of a later one. Reports of earlier releases have no version. */
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
