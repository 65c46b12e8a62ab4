/** The anchor that GitHub gives a heading, unless an earlier heading has the same anchor. */
export function gitHubAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns a function that gives GitHub's anchors to the headings of one page, called in their order. */
export function anchors(): (heading: string) => string {
  const used = new Set<string>();
  return (heading) => {
    const base = gitHubAnchor(heading);
    let anchor = base;
    for (let count = 1; used.has(anchor); count += 1) anchor = `${base}-${count}`;
    used.add(anchor);
    return anchor;
  };
}
