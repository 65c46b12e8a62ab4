/** The anchor that GitHub gives to a heading, if no heading above it has the same. */
export function gitHubAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Gives the headings of one page the anchors that GitHub gives them, one after the other. */
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
