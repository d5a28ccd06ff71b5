// The p5 Expert Advisor in a scripted terminal.
#define __MQL5__
#include "history-p5.h"
#include "../../../bridge/Plimsoll/Plimsoll.mq5"
#include "script.h"
