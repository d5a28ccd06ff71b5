//+------------------------------------------------------------------+
//| Feeds balance, equity and orders of a p4 terminal to Plimsoll.   |
//| Reads only: it never trades, and the investor password suffices. |
//+------------------------------------------------------------------+
#property strict
#property version "1.00"
#include "Plimsoll.mqh"

input string PlimsollUrl="https://plimsoll.example.com"; // Address of Plimsoll, without a path
input string AuthToken="";                               // Token with the scope "ingest"
input string AccountId="";                               // Id of the account in Plimsoll
input int    Login=0;                                    // Login that this account has; no other is sent
input int    EverySeconds=1;                               // Seconds between snapshots

#define MAX_ORDERS 50        // Orders of one snapshot; more are sent as history first
#define MAX_WAITS 5          // Timers to wait for the order that explains a new balance
#define OP_BALANCE_ROW 6     // Types of the rows of deposits and credits
#define OP_CREDIT_ROW 7

PlimsollQueue queue;
bool     busy=false;
bool     knowsBalance=false;
bool     knowsOffset=false;
int      offset=0;           // Broker's clock minus UTC, seconds
double   lastBalance=0;
int      waits=0;
datetime lastTime=0;         // Time of the newest closed order in the queue, 0 before the first
int      lastTickets[];      // Those that closed in that second

int OnInit()
  {
   if(AuthToken=="" || AccountId=="" || Login==0)
     {
      Print("Plimsoll: AuthToken, AccountId and Login must be given");
      return(INIT_PARAMETERS_INCORRECT);
     }
   queue.Open(PlimsollUrl,AuthToken,IntegerToString(Login));
   ReadCursor();
   if(GlobalVariableCheck("plimsoll-offset"))
     {
      offset=(int)GlobalVariableGet("plimsoll-offset");
      knowsOffset=true;
     }
   return(EventSetTimer(MathMax(1,EverySeconds)) ? INIT_SUCCEEDED : INIT_FAILED);
  }

void OnDeinit(const int reason)
  {
   EventKillTimer();
   queue.Save();
  }

//--- The terminal knows the broker's clock from ticks only: learn its distance from UTC while they come
void OnTick()
  {
   offset=(int)(MathRound((double)(TimeCurrent()-TimeGMT())/900.0)*900);
   knowsOffset=true;
   GlobalVariableSet("plimsoll-offset",offset);
  }

void OnTimer()
  {
   if(busy)
      return;
   busy=true;
   if(AccountNumber()==Login && IsConnected() && knowsOffset)
      Record();
   queue.Flush();
   busy=false;
  }

//--- Puts one snapshot and the orders closed since the one before into the queue
void Record()
  {
   double   balance=AccountBalance();
   string   deals="",lines="";
   double   money=0;
   datetime time=lastTime;
   int      tickets[];
   ArrayCopy(tickets,lastTickets);
   int      found=ReadOrders(deals,lines,money,time,tickets);
   if(found>MAX_ORDERS || (lastTime==0 && found>0))
     {
      //--- History goes ahead of the snapshots
      if(queue.Count()==0 && queue.SendDeals(AccountId,lines))
        {
         KeepCursor(time,tickets);
         queue.SaveCursor(CursorText());
         knowsBalance=false;
        }
      return;
     }
   //--- A balance whose order is not in the history yet would look like a loss or a gain
   bool explained=!knowsBalance || MathAbs(balance-lastBalance-money)<0.005;
   if(balance!=AccountBalance() || (!explained && waits<MAX_WAITS))
     {
      waits++;
      return;
     }
   waits=0;
   knowsBalance=true;
   lastBalance=balance;
   KeepCursor(time,tickets);
   string line="{\"accountId\":"+JsonText(AccountId)
               +",\"brokerTime\":"+JsonTime(TimeGMT()+offset)
               +",\"balance\":"+JsonNumber(balance)
               +",\"equity\":"+JsonNumber(AccountEquity())
               +",\"margin\":"+JsonNumber(AccountMargin())
               +",\"freeMargin\":"+JsonNumber(AccountFreeMargin())
               +",\"credit\":"+JsonNumber(AccountCredit())
               +(found>0 ? ",\"deals\":["+deals+"]" : "")+"}";
   if(!queue.Add(line,CursorText()))
      ReadCursor();
  }

//--- Orders that closed after the cursor, oldest first, as deals. How many there are
int ReadOrders(string &deals,string &lines,double &money,datetime &time,int &tickets[])
  {
   int    found=0;
   double order[][3];        // Time of closing, ticket, place in the history
   for(int i=OrdersHistoryTotal()-1; i>=0; i--)
     {
      if(!OrderSelect(i,SELECT_BY_POS,MODE_HISTORY) || !IsNew())
         continue;
      ArrayResize(order,found+1,1000);
      order[found][0]=(double)ClosedAt();
      order[found][1]=OrderTicket();
      order[found][2]=i;
      found++;
     }
   if(found>1)
      ArraySort(order);
   int sent=MathMin(found,PLIMSOLL_MAX_BATCH/2);
   //--- Never stop within a second: the cursor could not tell what was left
   while(sent>0 && sent<found && order[sent][0]==order[sent-1][0])
      sent++;
   for(int i=0; i<sent; i++)
     {
      if(!OrderSelect((int)order[i][2],SELECT_BY_POS,MODE_HISTORY))
         continue;
      string record=OrderRecord("");
      if(OrderType()<=OP_SELL)
         record=OrderRecord("in")+"\n"+OrderRecord("out");
      lines+=record+"\n";
      StringReplace(record,"\n",",");
      deals+=(i>0 ? "," : "")+record;
      if(OrderType()!=OP_CREDIT_ROW)
         money+=OrderProfit()+OrderSwap()+OrderCommission();
      if(ClosedAt()!=time)
         ArrayResize(tickets,0);
      time=ClosedAt();
      ArrayResize(tickets,ArraySize(tickets)+1);
      tickets[ArraySize(tickets)-1]=OrderTicket();
     }
   return(found);
  }

//--- Whether the selected row is a closed order or a balance operation after the cursor
bool IsNew()
  {
   if(OrderType()>OP_SELL && OrderType()!=OP_BALANCE_ROW && OrderType()!=OP_CREDIT_ROW)
      return(false);
   if(ClosedAt()!=lastTime)
      return(ClosedAt()>lastTime);
   for(int i=ArraySize(lastTickets)-1; i>=0; i--)
      if(lastTickets[i]==OrderTicket())
         return(false);
   return(true);
  }

datetime ClosedAt()
  {
   return(OrderCloseTime()>0 ? OrderCloseTime() : OrderOpenTime());
  }

//--- The selected row: the opening ("in") or closing ("out") deal of its ticket, or a balance operation
string OrderRecord(const string entry)
  {
   string ticket=IntegerToString(OrderTicket());
   bool   opening=(entry=="in");
   string type=(OrderType()==OP_CREDIT_ROW ? "CREDIT" : "BALANCE");
   if(entry!="")
      type=((OrderType()==OP_BUY)==opening ? "BUY" : "SELL");
   string record="{\"id\":\""+ticket+(entry=="" ? "" : "-"+entry)
                 +"\",\"type\":\"DEAL_TYPE_"+type
                 +"\",\"brokerTime\":"+JsonTime(opening ? OrderOpenTime() : ClosedAt())
                 +",\"profit\":"+JsonNumber(opening ? 0 : OrderProfit())
                 +",\"swap\":"+JsonNumber(opening ? 0 : OrderSwap())
                 +",\"commission\":"+JsonNumber(opening ? 0 : OrderCommission())
                 +",\"comment\":"+JsonText(OrderComment());
   if(entry!="")
     {
      string symbol=OrderSymbol();
      record+=",\"positionId\":\""+ticket
              +"\",\"entry\":\"DEAL_ENTRY_"+(opening ? "IN" : "OUT")
              +"\",\"symbol\":"+JsonText(symbol)
              +",\"volume\":"+JsonNumber(OrderLots())
              +",\"price\":"+JsonNumber(opening ? OrderOpenPrice() : OrderClosePrice());
      long   digits=0;
      double contract=0;
      if(SymbolInfoInteger(symbol,SYMBOL_DIGITS,digits))
         record+=",\"digits\":"+IntegerToString(digits);
      if(SymbolInfoDouble(symbol,SYMBOL_TRADE_CONTRACT_SIZE,contract) && contract>0)
         record+=",\"contractSize\":"+JsonNumber(contract);
     }
   return(record+"}");
  }

void KeepCursor(const datetime time,const int &tickets[])
  {
   lastTime=time;
   ArrayResize(lastTickets,ArraySize(tickets));
   for(int i=0; i<ArraySize(tickets); i++)
      lastTickets[i]=tickets[i];
  }

//--- Without its tickets: after a restart those of the last second are sent again, which changes nothing
string CursorText()
  {
   return(IntegerToString((long)lastTime)+":0");
  }

//--- The time up to which the server has confirmed what closed
void ReadCursor()
  {
   string parts[];
   lastTime=0;
   ArrayResize(lastTickets,0);
   if(StringSplit(queue.Cursor(),':',parts)==2)
      lastTime=(datetime)StringToInteger(parts[0]);
   knowsBalance=false;
  }
//+------------------------------------------------------------------+
