/** Sorts and filters the table of clusters, if the page has one. */
export function enliven(section = document.querySelector<HTMLElement>('.fleet')): void {
  const [filter, count, body] = ['.filter', 'output', 'tbody'].map((name) => section?.querySelector<HTMLElement>(name));
  const input = filter?.querySelector('input');
  if (!section || !filter || !input || !count || !body) return;
  const rows = [...body.children] as HTMLTableRowElement[];
  filter.hidden = !('many' in filter.dataset);
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    count.textContent = `${rows.filter(({ hidden }) => !hidden).length} of ${rows.length} clusters`;
  });
  for (const [column, button] of [...section.querySelectorAll<HTMLButtonElement>('thead button')].entries()) {
    button.disabled = false;
    button.addEventListener('click', () => sortBy(button.parentElement as HTMLElement, column, rows));
  }
}

function sortBy(head: HTMLElement, column: number, rows: HTMLTableRowElement[]): void {
  const sign = head.ariaSort === 'ascending' ? -1 : 1;
  for (const one of head.parentElement?.children ?? []) one.ariaSort = null;
  head.ariaSort = sign > 0 ? 'ascending' : 'descending';
  rows.sort((a, b) => sign * compare(keyOf(a, column), keyOf(b, column)));
  rows[0]?.parentElement?.append(...rows);
}

function keyOf(row: HTMLTableRowElement, column: number): string {
  const cell = row.cells[column];
  return cell?.dataset.order ?? cell?.textContent ?? '';
}

/** Cells without a number come after those with one. */
function compare(a: string, b: string): number {
  return Number(a) - Number(b) || a.localeCompare(b, 'en', { numeric: true });
}
