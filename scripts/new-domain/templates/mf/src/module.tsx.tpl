import { defineRemoteModule, lazyScreen } from '@clinic/app-kit';
import { {{camel}}Routes } from '@clinic/svc-{{name}}/contract';
import './styles.css';

export default defineRemoteModule({
  calls: {{camel}}Routes,
  createRoutes: () => [{ path: '/dash/{{name}}', ...lazyScreen(async () => (await import('./entries/entries-page.tsx')).EntriesPage) }],
});
