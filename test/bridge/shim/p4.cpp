// The p4 Expert Advisor in a scripted terminal.
#define __MQL4__
#include "history-p4.h"
#include "../../../bridge/Plimsoll/Plimsoll.mq4"
#include "script.h"
