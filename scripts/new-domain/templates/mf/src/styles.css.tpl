@import '@clinic/ui/remote.css';

@layer utilities {
  [data-mf='mf-{{name}}'] {
    @tailwind utilities source(none);
  }
}

@source './';
