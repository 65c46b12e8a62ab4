// Runs before anything is shown, so that a page does not change its colours after it.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Where nothing may be kept, the colours are those of the system.
}
