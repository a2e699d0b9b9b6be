@layer theme, base, components, utilities;
@import 'tailwindcss/theme.css' layer(theme) theme(reference);
/* The design system's tokens: `text-muted`, `shadow-card`, `rounded-card`, `text-title`, … */
@import '@clinic/ui/theme.css' theme(reference);

/* Utilities only, scoped to this remote, so that another remote's later `.hidden` can't override a `md:block` here. */
@layer utilities {
  [data-mf='mf-{{name}}'] {
    @tailwind utilities source(none);
  }
}

@source './';
@plugin 'daisyui' {
  themes: false;
  include: nothing;
  logs: false;
}
