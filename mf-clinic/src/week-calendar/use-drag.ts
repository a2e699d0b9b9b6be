import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { useEffect, useEffectEvent, useRef, useState, type PointerEvent } from 'react';

/** Pixels that the pointer moves before a press is a drag. */
const threshold = 6;

interface Press {
  readonly appointment: CalendarAppointment;
  readonly x: number;
  readonly y: number;
  /** Pixels from the appointment's top edge to the pointer. */
  readonly grip: number;
}

/** An appointment that is being dragged. */
export interface Drag {
  readonly appointment: CalendarAppointment;
  /** Where its top edge and the pointer are on the screen, pixels. */
  readonly x: number;
  readonly top: number;
}

/**
 * Drags appointments with a mouse or pen. A finger scrolls; on touch screens an appointment is moved by its button.
 *
 * @param onDrop - called with the last position
 */
export function useDrag(onDrop: (drag: Drag) => void) {
  const press = useRef<Press>(undefined);
  const [drag, setDrag] = useState<Drag>();
  const justDragged = useRef(false);
  const drop = useEffectEvent(onDrop);
  const pressed = drag !== undefined;

  useEffect(() => {
    const onMove = (event: globalThis.PointerEvent): void => {
      const { current } = press;
      if (!current) return;
      const { clientX: x, clientY: y } = event;
      setDrag((before) =>
        before || Math.hypot(x - current.x, y - current.y) > threshold
          ? { appointment: current.appointment, x, top: y - current.grip }
          : before,
      );
    };
    const stop = (): void => {
      press.current = undefined;
      setDrag(undefined);
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') stop();
    };
    addEventListener('pointermove', onMove);
    addEventListener('pointercancel', stop);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('pointermove', onMove);
      removeEventListener('pointercancel', stop);
      removeEventListener('keydown', onKey);
    };
  }, []);

  useEffect(() => {
    const onUp = (): void => {
      press.current = undefined;
      if (!drag) return;
      // The browser fires a click on the dragged element next, and would take this press for one beside a dialog that is open by
      // then, which closes it.
      justDragged.current = true;
      setTimeout(() => {
        justDragged.current = false;
        drop(drag);
      });
      setDrag(undefined);
    };
    addEventListener('pointerup', onUp);
    return () => removeEventListener('pointerup', onUp);
  }, [drag]);

  return {
    drag: pressed ? drag : undefined,
    /** Whether the click that follows a drag is to be ignored. */
    wasDragged: () => justDragged.current,
    start: (event: PointerEvent<HTMLElement>, appointment: CalendarAppointment): void => {
      if (event.pointerType === 'touch' || event.button !== 0) return;
      const { clientX: x, clientY: y } = event;
      press.current = { appointment, x, y, grip: y - event.currentTarget.getBoundingClientRect().top };
    },
  };
}
