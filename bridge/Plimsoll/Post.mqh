//+------------------------------------------------------------------+
//| Plimsoll: one request, and what its answer means in plain words. |
//+------------------------------------------------------------------+
#define REQUEST_MS 4000       // A request holds the Expert Advisor up this long at most

#define NO_ANSWER -1          // In place of a status
#define ERROR_ADDRESS 5200    // Errors of WebRequest, alike in both terminals
#define ERROR_CONNECT 5201
#define ERROR_TIMEOUT 5202
#ifdef __MQL5__
#define ERROR_NOT_ALLOWED 4014
#else
#define ERROR_NOT_ALLOWED 4060
#endif

struct Answer
  {
   int               status;              // Of HTTP, or NO_ANSWER
   int               error;               // Of the terminal, when there is no answer
   int               retryAfterSeconds;   // 0 when the server names none
   string            body;
  };

int RetryAfterOf(const string headers)
  {
   string lower="\n"+headers;
   StringToLower(lower);
   int at=StringFind(lower,"\nretry-after:");
   int seconds=at<0 ? 0 : (int)WholeNumberAt(lower,at+13);
   return(seconds<0 ? 0 : seconds);
  }

void Post(const string url,const string headers,const string body,Answer &answer)
  {
   LIST_OF(char,data);
   LIST_OF(char,result);
   string resultHeaders="";
   //--- The conversion adds a zero, which must not be sent
   int size=StringToCharArray(body,data,0,WHOLE_ARRAY,CP_UTF8);
   if(size>0 && data[size-1]==0)
      ArrayResize(data,size-1);
   ResetLastError();
   answer.status=WebRequest("POST",url,headers,REQUEST_MS,data,result,resultHeaders);
   answer.error=GetLastError();
   answer.retryAfterSeconds=RetryAfterOf(resultHeaders);
   answer.body=CharArrayToString(result,0,WHOLE_ARRAY,CP_UTF8);
   //--- Terminals are known to answer codes of their own, such as 1001 and 1003
   if(answer.status<100 || answer.status>599)
      answer.status=NO_ANSWER;
  }

//--- Why there was no answer, and what to do
string NoAnswerText(const int error,const string url)
  {
   if(error==ERROR_NOT_ALLOWED)
      return("the terminal does not let it call "+url+". Open Tools > Options > Expert Advisors,"
             +" tick \"Allow WebRequest for listed URL\" and add "+url);
   if(error==ERROR_ADDRESS)
      return(url+" is no address. Write PlimsollUrl like https://plimsoll.example.com");
   if(error==ERROR_CONNECT)
      return("cannot connect to "+url+". Does the server run, and is no firewall in the way?");
   if(error==ERROR_TIMEOUT)
      return(url+" did not answer in "+IntegerToString(REQUEST_MS/1000)+" seconds");
   return("no answer from "+url+" (error "+IntegerToString(error)+")."
          +" With https, check the certificate: open the address in a browser");
  }

//--- What an answer that takes nothing means, and what to do
string AnswerText(const Answer &answer,const string url)
  {
   int status=answer.status;
   if(status==NO_ANSWER)
      return(NoAnswerText(answer.error,url));
   if(status==200)
      return("something other than Plimsoll answers at "+url+". Check PlimsollUrl");
   if(status>=300 && status<400)
      return(url+" redirects. Set PlimsollUrl to the address where you end up in a browser");
   if(status==401)
      return("the token is not known (401). Copy it into AuthToken again, or ask for a new one");
   if(status==403)
      return("the token may not send data (403). It needs the scope \"ingest\"");
   if(status==404)
      return("this token reaches no such account (404). Check AccountId, and whose token it is");
   if(status==429)
      return("too many requests (429). It goes on more slowly");
   if(status==503)
      return("the server is busy or its database is away (503). It tries again");
   return("the server answered "+IntegerToString(status)+": "+StringSubstr(answer.body,0,300));
  }
//+------------------------------------------------------------------+
