import { Spinner } from '@clinic/ui';

/** Placeholder while the first page loads. */
export function PageFallback() {
  return (
    <div className="flex min-h-[60dvh] items-center justify-center p-6 text-muted">
      <Spinner size={28} />
    </div>
  );
}
