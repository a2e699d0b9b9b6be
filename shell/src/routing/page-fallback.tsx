import { Spinner } from '@clinic/ui';

/** In a page's place while it is loaded for the first time. */
export function PageFallback() {
  return (
    <div className="flex min-h-[60dvh] items-center justify-center p-6 text-muted">
      <Spinner size={28} />
    </div>
  );
}
